import { type Provider, providers } from '../../../contract/providers.ts';
import type { JsonSchema, SchemaNote } from '../note.ts';

/** What is proposed as the provider; others are as good, since the platform knows more of them. */
export const providerNote: SchemaNote = {
  text: 'The connector. Letter case counts.',
  snippets: providers.map(({ name, label }) => ({ label: name, description: label, body: name })),
};

/** The source of a dataset: which parameters are proposed depends on its connector (platform-facts 2.5). */
export const connectionNote: SchemaNote = {
  text: 'The source. It is saved as a whole.',
  adds: { allOf: providers.map(createParameterSchema) },
};

/** Parameters are proposed with what they usually are, and none is refused: they were seen, not specified. */
function createParameterSchema({ name, label, parameters }: Provider): JsonSchema {
  const description = `Parameter of ${label}.`;
  const proposed = parameters.map((parameter) => [parameter.name, { description, default: parameter.value }]);
  return {
    if: { not: { properties: { provider: { const: name } }, required: ['provider'] } },
    else: { properties: { parameters: { properties: Object.fromEntries(proposed) } } },
  };
}
