import { type EndpointId, endpoints, getPathTemplate } from '../contract/endpoints.ts';
import type { PathPolicy } from './profiles/profile.ts';

/** The path prefix of the sandbox's own routes; no fault applies to them. */
export const sandboxPathPrefix = '/sandbox';

/** Returns true if a path equals the parent path or is below it. */
export const isSameOrUnder = (parentPath: string, path: string): boolean =>
  path === parentPath || path.startsWith(`${parentPath}/`);

/** Returns the path templates of an endpoint, one per dialect; none if the platform does not have the endpoint. */
export const getPathTemplates = (
  id: EndpointId,
  { dialects, missingEndpoints }: PathPolicy,
): readonly string[] =>
  missingEndpoints.includes(id) ? [] : [...new Set(dialects.map((dialect) => getPathTemplate(id, dialect)))];

/** Returns the HTTP methods that a platform supports for a path, in any of its dialects; none for an unknown path. */
export function getAllowedMethods(path: string, policy: PathPolicy): string[] {
  const ids = Object.keys(endpoints) as EndpointId[];
  const methods = ids
    .filter((id) => getPathTemplates(id, policy).some((template) => matchesTemplate(template, path)))
    .map((id) => endpoints[id].method);
  return [...new Set(methods)];
}

const matchesTemplate = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
