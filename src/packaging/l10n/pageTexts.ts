import { sortTexts } from './productTexts.ts';
import type { ModuleTexts } from './extractTexts.ts';

/** The part of esbuild's metafile that lists the modules of each bundle. */
export interface BundleMetafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly entryPoint?: string;
        readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
      }
    >
  >;
}

/**
 * Returns the texts that each page translates, by the name of its bundle. The host sends a page only the translations
 * of its own texts: the translations of all texts would be a quarter of a megabyte.
 * @param modules the texts by path, relative to `src`
 */
export function collectPageTexts(
  { outputs }: BundleMetafile,
  modules: ReadonlyMap<string, ModuleTexts>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.values(outputs).flatMap(({ entryPoint, inputs }) => {
      const [, page] = /^src\/webviews\/(.+)\/main\.tsx$/.exec(entryPoint ?? '') ?? [];
      const paths = Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0);
      const texts = paths.flatMap((path) => modules.get(path.replace(/^src\//, ''))?.texts ?? []);
      return page === undefined ? [] : [[page, sortTexts(texts)] as const];
    }),
  );
}
