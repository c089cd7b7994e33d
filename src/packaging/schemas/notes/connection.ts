import { type Provider, providers } from '../../../contract/providers.ts';
import type { JsonSchema, SchemaNote } from '../note.ts';

/** The suggested providers; others are equally valid, since the platform knows more of them. */
export const providerNote: SchemaNote = {
  text: 'The connector. Letter case counts.',
  snippets: providers.map(({ name, label }) => ({ label: name, description: label, body: name })),
};

/** The source of a dataset: the suggested parameters depend on its connector (platform-facts.md, 2.5). */
export const connectionNote: SchemaNote = {
  text: 'The source. It is saved as a whole.',
  adds: { allOf: providers.map(createParameterSchema) },
};

/** Parameters are suggested with their usual values, and none is rejected: they were observed, not specified. */
function createParameterSchema({ name, label, parameters }: Provider): JsonSchema {
  const description = `Parameter of ${label}.`;
  const proposed = parameters.map((parameter) => [parameter.name, { description, default: parameter.value }]);
  return {
    if: { not: { properties: { provider: { const: name } }, required: ['provider'] } },
    else: { properties: { parameters: { properties: Object.fromEntries(proposed) } } },
  };
}
