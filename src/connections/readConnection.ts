import { isJsonObject } from '../base/json.ts';
import { type Connection, type CubeSet, type WebLinks, connectionRoles } from './connection.ts';

/**
 * Reads a stored connection without its unknown fields. Connections are read at activation, so they are checked without
 * the schema library, which takes longer to load than everything else that activation needs.
 * @throws TypeError with the name of the field that is missing or has another type
 */
export function readConnection(stored: unknown): Connection {
  const entry = readObject(stored, 'connection');
  const fields = {
    id: readText(entry['id'], 'id'),
    name: readText(entry['name'], 'name'),
    role: readRole(entry['role']),
    ...omitUndefined({
      cubeSets: readOptional(entry['cubeSets'], readCubeSets),
      tenantId: readOptional(entry['tenantId'], (value) => readString(value, 'tenantId')),
    }),
  };
  switch (entry['kind']) {
    case 'sandbox':
      return { ...fields, kind: 'sandbox' };
    case 'remote':
      return {
        ...fields,
        kind: 'remote',
        url: readUrl(entry['url']),
        ...omitUndefined({ webLinks: readOptional(entry['webLinks'], readWebLinks) }),
      };
    default:
      throw createError('kind');
  }
}

function readRole(value: unknown): Connection['role'] {
  const role = connectionRoles.find((candidate) => candidate === value);
  if (role === undefined) {
    throw createError('role');
  }
  return role;
}

function readUrl(value: unknown): string {
  const url = readText(value, 'url').trim();
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw createError('url');
  }
  return url;
}

function readCubeSets(value: unknown): readonly CubeSet[] {
  if (!Array.isArray(value)) {
    throw createError('cubeSets');
  }
  return value.map((item: unknown) => {
    const cubeSet = readObject(item, 'cubeSets');
    return {
      name: readText(cubeSet['name'], 'cubeSets.name'),
      server: readText(cubeSet['server'], 'cubeSets.server'),
    };
  });
}

function readWebLinks(value: unknown): WebLinks {
  const { datamodel, viewpoint } = readObject(value, 'webLinks');
  return omitUndefined({
    datamodel: readOptional(datamodel, (link) => readString(link, 'webLinks.datamodel')),
    viewpoint: readOptional(viewpoint, (link) => readString(link, 'webLinks.viewpoint')),
  });
}

function readObject(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) {
    throw createError(field);
  }
  return value;
}

function readText(value: unknown, field: string): string {
  const text = readString(value, field);
  if (text === '') {
    throw createError(field);
  }
  return text;
}

function readString(value: unknown, field: string): string {
  if (typeof value !== 'string') {
    throw createError(field);
  }
  return value;
}

const readOptional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === undefined ? undefined : read(value);

/** Omits the fields without a value: connections are compared by their JSON and their fields. */
const omitUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** The message contains only the name of the field: the error is logged, and the value may be an address or a name. */
const createError = (field: string): TypeError => new TypeError(`The field "${field}" is missing or wrong`);
