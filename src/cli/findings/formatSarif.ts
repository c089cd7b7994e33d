import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import type { Finding, FindingSeverity } from '../../project/validate/finding.ts';
import { version } from '../version.ts';
import { findingTexts } from './findingTexts.ts';

/** The severities of SARIF. */
const levels: Readonly<Record<FindingSeverity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
};

const baseId = '%SRCROOT%';

/** The number of hexadecimal digits of a fingerprint. */
const fingerprintLength = 32;

/**
 * Creates a SARIF log (SARIF 2.1.0) for code scanning services. Paths are relative: the services resolve them against
 * the repository.
 */
export function createSarifLog(findings: readonly Finding[]): JsonObject {
  const codes = [...new Set(findings.map(({ code }) => code))].toSorted();
  const fingerprints = createFingerprints(findings);
  return createLog({
    tool: createTool(
      codes.map((code) => ({
        id: code,
        shortDescription: { text: findingTexts[code] },
        fullDescription: { text: findingTexts[code] },
        help: { text: findingTexts[code] },
      })),
    ),
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [baseId]: { description: { text: 'The folder that the paths are relative to.' } } },
    results: findings.map(({ path, line, column, severity, code, message }, index) => ({
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: levels[severity],
      message: { text: message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodePath(path), uriBaseId: baseId },
            region: { startLine: line, startColumn: column },
          },
        },
      ],
      partialFingerprints: { 'finding/v1': fingerprints[index] ?? '' },
    })),
  });
}

/**
 * Creates the log of a check that ended without a result. It has no list of findings: an empty list would mean that
 * there are none, and a service would close the earlier findings.
 */
export const createFailedSarifLog = (message: string): JsonObject =>
  createLog({
    tool: createTool([]),
    invocations: [
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ level: 'error', message: { text: message } }],
      },
    ],
  });

const createLog = (run: JsonObject): JsonObject => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [run],
});

const createTool = (rules: readonly JsonObject[]): JsonObject => ({
  driver: { name: 'Datamodel Studio', version, rules },
});

const encodePath = (path: string): string => path.toWellFormed().split('/').map(encodeURIComponent).join('/');

/**
 * Returns a fingerprint for each finding that doesn't depend on its line, so that services recognize it when the line
 * moves. Findings that are otherwise equal are distinguished by their order.
 */
function createFingerprints(findings: readonly Finding[]): readonly string[] {
  const counts = new Map<string, number>();
  return findings.map(({ path, code, subject }) => {
    const identity = JSON.stringify([path, code, subject]);
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count + 1);
    return createHash('sha256').update(`${identity}${count}`).digest('hex').slice(0, fingerprintLength);
  });
}
