import { type EndpointId, endpoints, pathTemplate } from '../contract/endpoints.ts';
import type { PathDecisions } from './profiles/profile.ts';

/** Paths of the sandbox's own; no fault strikes them. */
export const ownPaths = '/sandbox';

/** Whether a path is a folder or something under it. */
export const isUnder = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The path templates of an endpoint on a platform; none where it does not have it. */
export const pathsOf = (id: EndpointId, { dialects, missing }: PathDecisions): readonly string[] =>
  missing.includes(id) ? [] : [...new Set(dialects.map((dialect) => pathTemplate(id, dialect)))];

/** The methods that a platform has for a path, in any of its dialects; none for an unknown path. */
export function allowedMethods(path: string, decisions: PathDecisions): string[] {
  const ids = Object.keys(endpoints) as EndpointId[];
  const found = ids
    .filter((id) => pathsOf(id, decisions).some((template) => fits(template, path)))
    .map((id) => endpoints[id].method);
  return [...new Set(found)];
}

const fits = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
