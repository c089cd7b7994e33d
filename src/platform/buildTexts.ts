import * as vscode from 'vscode';
import type { Build } from '../builds/build.ts';

const t = vscode.l10n.t;

/** Returns the name of a build type, as in the menus; an unknown type is returned as the server reports it. */
export function getBuildTypeLabel(buildType: string): string {
  const labels: Readonly<Record<string, string>> = {
    full: t('Replace All'),
    by_table: t('By Table'),
    schema_changes: t('Changes Only'),
    publish: t('Publish'),
  };
  return labels[buildType] ?? buildType;
}

/** Describes the type and the options of a build, such as "Replace All, last built schema"; empty if none is known. */
export function describeBuildOptions({
  buildType,
  schemaOrigin,
  rowLimit,
}: Partial<Pick<Build, 'buildType' | 'schemaOrigin' | 'rowLimit'>>): string {
  const isSample = buildType === 'full' && rowLimit !== undefined;
  return [
    isSample ? t('Sample') : buildType && getBuildTypeLabel(buildType),
    schemaOrigin === 'running' ? t('last built schema') : undefined,
    rowLimit === undefined
      ? undefined
      : rowLimit === 1
        ? t('1 row from each source')
        : t('{0} rows from each source', rowLimit),
  ]
    .filter((text) => text)
    .join(', ');
}

/**
 * Returns the name of a task's status: null and pending are queued (platform-facts.md, 1.1); an unknown status is
 * returned as the server reports it.
 */
export function getBuildStatusLabel(status: string | null | undefined): string {
  const labels: Readonly<Record<string, string>> = {
    pending: t('queued'),
    building: t('building'),
    done: t('done'),
    failed: t('failed'),
    cancelled: t('canceled'),
    canceled: t('canceled'),
  };
  return status ? (labels[status.toLowerCase()] ?? status) : t('queued');
}

/** Describes what started a build (platform-facts.md, "BuildOutput"); an unknown source is returned as received. */
export function describeBuildSource(source: string): string {
  const labels: Readonly<Record<string, string>> = {
    rest: t('through the REST API'),
    nextecm: t('in the web interface'),
    scheduler: t('by the scheduler'),
    cli: t('from the command line'),
  };
  return labels[source.toLowerCase()] ?? source;
}
