import { type EndpointId, endpoints, getPathTemplate } from '../contract/endpoints.ts';
import type { PathPolicy } from './profiles/profile.ts';

/** The path prefix of the sandbox's own routes; no fault applies to them. */
export const sandboxPathPrefix = '/sandbox';

/** Returns true if a path is the folder or is under it. */
export const isUnder = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** Returns the path templates of an endpoint on a platform; none if the platform does not have it. */
export const getPathTemplates = (id: EndpointId, { dialects, missing }: PathPolicy): readonly string[] =>
  missing.includes(id) ? [] : [...new Set(dialects.map((dialect) => getPathTemplate(id, dialect)))];

/** Returns the methods that a platform has for a path, in any of its dialects; none for an unknown path. */
export function getAllowedMethods(path: string, decisions: PathPolicy): string[] {
  const ids = Object.keys(endpoints) as EndpointId[];
  const found = ids
    .filter((id) => getPathTemplates(id, decisions).some((template) => matchesTemplate(template, path)))
    .map((id) => endpoints[id].method);
  return [...new Set(found)];
}

const matchesTemplate = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
