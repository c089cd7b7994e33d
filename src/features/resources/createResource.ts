import { type JsonValue, isJsonObject } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { runCommand } from '../../platform/commands.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { ResourcesDeps } from './deps.ts';

/**
 * Performs the operation and shows the new resource: in the Connections view, and as a document unless it is only a
 * container. The response may lack the created resource (rest-api.md, "Datamodel API" 6); then it is neither revealed
 * nor opened, and the Connections view shows it after its own update.
 * @param toRef creates the reference to the resource from the ID in the response
 * @param options.alwaysReview shows the plan even if it is harmless
 * @param options.getId returns the ID in the response; by default, the response is expected to be the resource
 * @param options.open creates the reference to the document to open if it is not the whole resource; `false` opens none
 * @returns the ID of the resource; `undefined` if the user canceled, or if the response lacks it
 */
export async function createAndReveal(
  deps: ResourcesDeps,
  operation: Operation,
  toRef: (id: string) => ResourceRef,
  {
    open = toRef,
    getId = getCreatedId,
    alwaysReview = false,
  }: {
    readonly open?: false | ((id: string) => ResourceRef);
    readonly getId?: (response: JsonValue | undefined) => string | undefined;
    readonly alwaysReview?: boolean;
  } = {},
): Promise<string | undefined> {
  const lastWrite = (await deps.changeReview.perform(operation, { alwaysReview }))?.writeStates.at(-1);
  const id = lastWrite?.state === 'done' ? getId(lastWrite.answer) : undefined;
  if (id === undefined) {
    return undefined;
  }
  const { connectionId, subject } = operation;
  const target = { connectionId, resource: toRef(id), name: subject.name, within: subject.within };
  await runCommand('datamodelStudio.explorer.reveal', target);
  if (open !== false) {
    await runCommand('datamodelStudio.documents.open', { ...target, resource: open(id) });
  }
  return id;
}

function getCreatedId(response: JsonValue | undefined): string | undefined {
  const created = Array.isArray(response) ? (response as readonly JsonValue[])[0] : response;
  if (!isJsonObject(created)) {
    return undefined;
  }
  return [created['oid'], created['_id'], created['id']].find(
    (id): id is string => typeof id === 'string' && id !== '',
  );
}
