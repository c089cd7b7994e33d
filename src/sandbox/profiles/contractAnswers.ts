import { isJsonObject, type JsonObject, type JsonValue, parseLossless, stringify } from '../../base/json.ts';
import { type Answer, createdText, noContent, ok, okText } from '../call.ts';
import type { Context } from '../context.ts';
import { textIn } from '../documents.ts';
import { HttpProblem } from '../problem.ts';
import { objectId, oid } from '../seeds/ids.ts';
import type { AnswerShapes } from './profile.ts';

/** The same answer with another body. */
const reshaped = ({ status, text }: Answer, shape: (body: JsonValue) => JsonValue): Answer => ({
  status,
  text: stringify(shape(parseLossless(text))),
});

const each =
  (shape: (object: JsonObject) => JsonValue) =>
  (body: JsonValue): JsonValue =>
    Array.isArray(body)
      ? body.map((item: JsonValue) => (isJsonObject(item) ? shape(item) : item))
      : isJsonObject(body)
        ? shape(body)
        : body;

/** Applies a shape to a member that is there. */
const within = (owner: JsonObject, name: string, shape: (body: JsonValue) => JsonValue): JsonObject => {
  const value = owner[name];
  return value === undefined ? owner : { ...owner, [name]: shape(value) };
};

/** An SQL text with an identity and a time, for columns as for tables (contract v2.0, TableOutput and ColumnOutput). */
const withExpression = (owner: JsonObject): JsonObject =>
  within(owner, 'expression', (value) => {
    if (value === null) {
      return null;
    }
    const made = {
      oid: oid(`${textIn(owner, 'oid')}/expression`),
      lastUpdated: owner['lastUpdated'] ?? null,
    };
    return isJsonObject(value) ? { ...made, ...value } : { ...made, expression: value };
  });

const tableShape = (table: JsonObject): JsonObject =>
  within(withExpression(table), 'columns', each(withExpression));

const datasetShape = (dataset: JsonObject): JsonObject =>
  within(
    dataset,
    'schema',
    each((schema) => within(schema, 'tables', each(tableShape))),
  );

const modelShape = (model: JsonObject): JsonObject => within(model, 'datasets', each(datasetShape));

/** A live rule with the fields that the contract has for it (v1.0, live datasecurity). */
const liveRuleShape =
  ({ store }: Context, title: string) =>
  (rule: JsonObject): JsonObject => ({
    ...rule,
    dataSourceId: objectId(store.datamodels.findByTitle(title)?.oid ?? title),
    exclusionary: rule['exclusionary'] ?? false,
    members: rule['members'] ?? [],
  });

const documentsNotFound = (): HttpProblem => new HttpProblem(404, 'NotFound', 1004, 'Documents not found');

/** What is said of how many objects were changed: an object, of whose fields the contract says nothing. */
function counted(answer: Answer, name: string): Answer {
  const body = parseLossless(answer.text);
  const count = isJsonObject(body) ? Number(stringify(body[name] ?? 0)) : 0;
  if (count === 0) {
    throw documentsNotFound();
  }
  return ok({ ok: 1, n: count });
}

const removed = (): Answer => ok({ title: 'Success', status: 200 });

/** The statuses and shapes of the contract, where they are others than those of the spec. */
export const answers: AnswerShapes = {
  'session.check': (_answer, { caller }) => ok({ isAuthenticated: caller.userId !== '' }),

  'liveRules.list': (answer, { params }, held) => reshaped(answer, each(liveRuleShape(held, params.title))),
  'liveRules.create'(answer, { params }, held) {
    const { text } = reshaped(answer, each(liveRuleShape(held, params.title)));
    // One rule was sent, and one comes back.
    return createdText(text.slice(1, -1));
  },
  'liveRules.createMany': (answer, { params }, held) =>
    createdText(reshaped(answer, each(liveRuleShape(held, params.title))).text),
  'liveRules.delete': () => noContent,
  'liveRules.deleteByColumn': () => noContent,

  /** A filter by title is still a list. */
  'datamodels.list': (answer) =>
    reshaped(answer, (body) => each(modelShape)(Array.isArray(body) ? body : [body])),
  'datamodels.get': (answer) => reshaped(answer, each(modelShape)),
  'datamodels.delete': removed,
  'datasets.list': (answer) => reshaped(answer, each(datasetShape)),
  'datasets.get': (answer) => reshaped(answer, each(datasetShape)),
  'datasets.update': (answer) => reshaped(answer, each(datasetShape)),
  'datasets.delete': removed,
  'tables.list': (answer) => reshaped(answer, each(tableShape)),
  'tables.get': (answer) => reshaped(answer, each(tableShape)),
  'tables.create': (answer) => reshaped(answer, each(tableShape)),
  'tables.update': (answer) => reshaped(answer, each(tableShape)),
  'tables.delete': removed,
  'relations.delete': removed,

  'builds.cancelAll': () => noContent,

  'customData.query'(answer) {
    if (answer.text === '[]') {
      throw documentsNotFound();
    }
    return okText(answer.text);
  },
  'customData.updateMatching': (answer) => counted(answer, 'updated'),
  'customData.deleteMatching': (answer) => counted(answer, 'deleted'),
};
