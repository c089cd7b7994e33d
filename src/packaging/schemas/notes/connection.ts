import { type Provider, providers } from '../../../contract/providers.ts';
import type { JsonSchema, SchemaNote } from '../note.ts';

/** Suggests known providers; others are valid too, since the platform supports more. */
export const providerNote: SchemaNote = {
  text: 'The connector. Case-sensitive.',
  snippets: providers.map(({ name, label }) => ({ label: name, description: label, body: name })),
};

/** The connection of a dataset: the suggested parameters depend on its provider (platform-facts.md, 2.5). */
export const connectionNote: SchemaNote = {
  text: 'The source. Replaced as a whole when saved.',
  additionalSchema: { allOf: providers.map(createParameterSchema) },
};

/** Suggests the parameters of a provider with their usual values. Rejects none, since they are not documented. */
function createParameterSchema({ name, label, parameters }: Provider): JsonSchema {
  const description = `Connection parameter for ${label}.`;
  const parameterSchemas = parameters.map((parameter) => [
    parameter.name,
    { description, default: parameter.value },
  ]);
  return {
    if: { not: { properties: { provider: { const: name } }, required: ['provider'] } },
    else: { properties: { parameters: { properties: Object.fromEntries(parameterSchemas) } } },
  };
}
