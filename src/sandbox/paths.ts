import { type EndpointId, endpoints, getPathTemplate } from '../contract/endpoints.ts';
import type { PathPolicy } from './profiles/profile.ts';

/** The path prefix of the sandbox's own routes; no fault applies to them. */
export const sandboxPathPrefix = '/sandbox';

/** Returns true if a path equals the parent path or is below it. */
export const isUnder = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** Returns the path templates of an endpoint, one per dialect; none if the platform does not have the endpoint. */
export const getPathTemplates = (id: EndpointId, { dialects, missing }: PathPolicy): readonly string[] =>
  missing.includes(id) ? [] : [...new Set(dialects.map((dialect) => getPathTemplate(id, dialect)))];

/** Returns the HTTP methods that a platform supports for a path, in any of its dialects; none for an unknown path. */
export function getAllowedMethods(path: string, decisions: PathPolicy): string[] {
  const ids = Object.keys(endpoints) as EndpointId[];
  const found = ids
    .filter((id) => getPathTemplates(id, decisions).some((template) => matchesTemplate(template, path)))
    .map((id) => endpoints[id].method);
  return [...new Set(found)];
}

const matchesTemplate = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
