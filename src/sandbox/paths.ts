import { type Endpoint, endpoints } from '../contract/endpoints.ts';

/** Paths of the sandbox's own; no fault strikes them. */
export const ownPaths = '/sandbox';

/** Whether a path is a folder or something under it. */
export const isUnder = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The methods that the contract has for a path, in any dialect; none for an unknown path. */
export function allowedMethods(path: string): string[] {
  const all: readonly Endpoint[] = Object.values(endpoints);
  const found = all
    .filter((endpoint) =>
      [endpoint.path, endpoint.schemaPath ?? endpoint.path].some((template) => fits(template, path)),
    )
    .map(({ method }) => method);
  return [...new Set(found)];
}

const fits = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
