import Papa from 'papaparse';
import type { PastBuild } from './pastBuild.ts';

const columns = [
  'connection',
  'datamodel',
  'datamodelId',
  'task',
  'buildType',
  'schemaOrigin',
  'rowLimit',
  'outcome',
  'ended',
  'durationSeconds',
  'failedTable',
  'reason',
] as const;

/** Formats the history as CSV. Text that a spreadsheet would interpret as a formula is escaped. */
export function formatHistoryCsv(
  history: readonly PastBuild[],
  getConnectionName: (id: string) => string,
): string {
  const rows = history.map((build) => [
    getConnectionName(build.connectionId),
    build.datamodelTitle ?? '',
    build.datamodelId ?? '',
    build.oid,
    build.buildType ?? '',
    build.schemaOrigin ?? '',
    build.rowLimit ?? '',
    build.outcome,
    new Date(build.ended).toISOString(),
    build.durationMs === undefined ? '' : build.durationMs / 1000,
    build.failedTable ?? '',
    build.reason ?? '',
  ]);
  return `${Papa.unparse({ fields: [...columns], data: rows }, { escapeFormulae: true, newline: '\n' })}\n`;
}
