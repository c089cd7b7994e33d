import { english } from '../../base/localize.ts';
import type { JsonValue } from '../../base/json.ts';
import { translateSchema } from '../../json/language/translateSchema.ts';
import { createDocumentSchema, schemaDocumentKinds } from '../schemas/documents.ts';
import {
  createProjectSchema,
  environmentSchemaKind,
  projectSchemaKinds,
} from '../schemas/projectDocuments.ts';

/** Returns the texts of the JSON schemas: all that are asked for when the schemas are translated. */
export function collectSchemaTexts(): readonly string[] {
  const texts = new Set<string>();
  const schemas = [
    ...schemaDocumentKinds.map(createDocumentSchema),
    ...[...projectSchemaKinds, environmentSchemaKind].map(createProjectSchema),
  ];
  for (const schema of schemas) {
    translateSchema(schema as JsonValue, (text, ...values) => {
      texts.add(text);
      return english(text, ...values);
    });
  }
  return [...texts];
}
