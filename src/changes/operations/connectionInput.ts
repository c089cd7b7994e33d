import type { JsonObject } from '../../base/json.ts';
import type { Provider } from '../../contract/providers.ts';

/** Connectors that read files: their tables are named after the files (rest-api.md, "Table"). */
const fileProviders: readonly string[] = ['CSV', 'Excel'];

/** Returns whether a connector reads files. */
export const readsFiles = ({ name }: Pick<Provider, 'name'>): boolean => fileProviders.includes(name);

/**
 * Creates the connection of a new dataset in the shape that POST expects (platform-facts.md, 2.5): every known
 * parameter, with the user's input in place of its default.
 * @param files paths on the platform's server
 */
export function createConnectionInput(
  provider: Provider,
  values: Readonly<Record<string, string>>,
  files: readonly string[] = [],
): JsonObject {
  const parameters = Object.fromEntries(
    provider.parameters.map(({ name, value }) => [name, values[name] ?? value]),
  );
  const [firstFile] = files;
  return {
    provider: provider.name,
    schema: firstFile ?? values['Schema'] ?? null,
    ...(firstFile === undefined ? {} : { fileName: firstFile }),
    parameters: files.length === 0 ? parameters : { ...parameters, files },
    globalTableConfigOptions: {},
  };
}
