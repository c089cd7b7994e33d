import { join } from 'node:path';
import { type JsonPath, type JsonValue, isJsonObject } from '../../base/json.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { maskConnectorSettings, maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { parseJsonFile } from '../files/jsonFile.ts';
import type { FileItem } from '../files/project.ts';
import { readTextFile } from '../files/readTextFile.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, type FindingSeverity, toDescription } from './finding.ts';

/**
 * Finds what may be a secret in the file of a dataset, table, or custom data, by the rules by which a pull masks
 * secrets or refuses custom data. In custom data, it's an error: an apply would write it, and journals would contain
 * it. The message doesn't repeat it.
 */
export function findItemSecrets({ key, content, path, text }: FileItem): readonly Finding[] {
  if (key.kind === 'customData') {
    return createFindings(
      { path, text },
      findMaskedValues(content, maskConnectorSettings(content)).map((valuePath) => ['content', ...valuePath]),
      createMessage("This might be a secret. Remove it: secrets don't belong in files."),
      'error',
    );
  }
  if ((key.kind !== 'dataset' && key.kind !== 'table') || !isJsonObject(content)) {
    return [];
  }
  // A table may have thousands of columns, and none of them has a secret.
  const settings = { ...content, columns: [] };
  return createFindings(
    { path, text },
    findMaskedValues(settings, maskConnectorDocument(settings)),
    createMessage(
      'This might be a secret in plain text. Remove it: the connections of new datasets belong in the environment file.',
    ),
  );
}

/** Finds what may be a secret in the connections of an environment. */
export async function findEnvironmentSecrets(folder: string, path: string): Promise<readonly Finding[]> {
  const file = await readTextFile(join(folder, path));
  const parsed = 'text' in file ? parseJsonFile(file.text) : undefined;
  if (!('text' in file) || parsed === undefined || 'fault' in parsed || !isJsonObject(parsed.value)) {
    return [];
  }
  const connections = omitVariables(parsed.value['connections'] ?? null);
  return createFindings(
    { path, text: file.text },
    findMaskedValues(connections, maskConnectorSettings(connections)).map((valuePath) => [
      'connections',
      ...valuePath,
    ]),
    createMessage(
      'This might be a secret in plain text. Expected: {"$env": "NAME"}, the value of an environment variable.',
    ),
  );
}

/** Replaces references to environment variables, whose names are no secrets. */
const omitVariables = (value: JsonValue): JsonValue => {
  if (isJsonArray(value)) {
    return value.map(omitVariables);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return typeof value['$env'] === 'string'
    ? ''
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, omitVariables(member)]));
};

/** Returns the paths of the values that were masked. Other values are identical. */
function findMaskedValues(value: JsonValue, masked: JsonValue, path: JsonPath = []): readonly JsonPath[] {
  if (value === masked) {
    return [];
  }
  if (isJsonArray(value) && isJsonArray(masked)) {
    return value.flatMap((entry, index) => findMaskedValues(entry, masked[index] ?? null, [...path, index]));
  }
  return isJsonObject(value) && isJsonObject(masked)
    ? Object.entries(value).flatMap(([name, member]) =>
        findMaskedValues(member, masked[name] ?? null, [...path, name]),
      )
    : [path];
}

function createFindings(
  { path, text }: { readonly path: string; readonly text: string },
  valuePaths: readonly JsonPath[],
  message: Message,
  severity: FindingSeverity = 'warning',
): readonly Finding[] {
  const locator = new FileLocator(text);
  return valuePaths.map((valuePath) => ({
    path,
    ...locator.locatePath(valuePath),
    severity,
    code: 'project/plain-secret',
    ...toDescription(message),
    // The text itself may end up in the fingerprint of a report.
    subject: valuePath.join('/'),
  }));
}
