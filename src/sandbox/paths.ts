import { type EndpointId, endpoints, getPathTemplate } from '../contract/endpoints.ts';
import type { PathPolicy } from './profiles/profile.ts';

/** Paths of the sandbox's own; no fault strikes them. */
export const sandboxPathPrefix = '/sandbox';

/** Whether a path is a folder or something under it. */
export const isUnder = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The path templates of an endpoint on a platform; none where it does not have it. */
export const getPathTemplates = (id: EndpointId, { dialects, missing }: PathPolicy): readonly string[] =>
  missing.includes(id) ? [] : [...new Set(dialects.map((dialect) => getPathTemplate(id, dialect)))];

/** The methods that a platform has for a path, in any of its dialects; none for an unknown path. */
export function getAllowedMethods(path: string, decisions: PathPolicy): string[] {
  const ids = Object.keys(endpoints) as EndpointId[];
  const found = ids
    .filter((id) => getPathTemplates(id, decisions).some((template) => matchesTemplate(template, path)))
    .map((id) => endpoints[id].method);
  return [...new Set(found)];
}

const matchesTemplate = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
