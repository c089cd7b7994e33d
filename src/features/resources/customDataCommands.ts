import * as vscode from 'vscode';
import {
  createObjectCreationOperation,
  createCustomDataDeletionOperation,
  createCustomDataUpdateOperation,
} from '../../changes/model/customDataWrites.ts';
import { previewCustomDataChange } from '../../changes/operations/previewMatching.ts';
import { type JsonObject, isJsonObject, parseLossless, stringify } from '../../base/json.ts';
import { showModalQuestion, showInformation } from '../../platform/messages.ts';
import type { TreeTarget } from '../../contributions.ts';
import type { Operation } from '../../changes/model/operation.ts';
import { type TextQuestion, createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { pickWritableConnectionId } from './pickResource.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;
const maxSampleObjects = 5;
const maxSampleLength = 120;

/** Asks for a JSON object and adds it. */
export async function addCustomDataObject(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const title = t('New Custom Data Object');
  const connectionId = await pickWritableConnectionId(deps, title, node);
  const object = connectionId && (await promptForObject(title, getObjectPrompt(), '{}'));
  if (connectionId && object) {
    const operation = createObjectCreationOperation(
      { connectionId, within: [] },
      object,
      t('Custom data object'),
    );
    await createAndReveal(deps, operation, (objectId) => ({ kind: 'customDataObject', objectId }));
  }
}

/** Returns a prompt with a warning: every caller can read and write custom data (rest-api.md, "Authentication" 4). */
const getObjectPrompt = (): string =>
  t("JSON object. Every user of the instance can read and change it, so don't include personal data.");

/** Changes all objects that match a filter, after showing their number and some of them. */
export async function changeMatchingCustomData(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const title = t('Change Matching Custom Data');
  const connectionId = await pickWritableConnectionId(deps, title, node);
  if (connectionId === undefined) {
    return;
  }
  const filter = await promptForObject(title, t('Filter as a JSON object ({} matches all objects)'), '');
  const fields =
    filter &&
    (await promptForObject(title, t('Properties to set in each matching object, as a JSON object'), '{}'));
  if (filter && fields) {
    await confirmAndPerform(
      deps,
      filter,
      createCustomDataUpdateOperation({ connectionId, within: [] }, filter, fields),
      t('Change'),
    );
  }
}

/** Deletes all objects that match a filter, after showing their number and some of them. */
export async function deleteMatchingCustomData(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const title = t('Delete Matching Custom Data');
  const connectionId = await pickWritableConnectionId(deps, title, node);
  const filter =
    connectionId && (await promptForObject(title, t('Filter as a JSON object ({} matches all objects)'), ''));
  if (connectionId && filter) {
    await confirmAndPerform(
      deps,
      filter,
      createCustomDataDeletionOperation({ connectionId, within: [] }, filter),
      t('Delete'),
    );
  }
}

/**
 * Performs a change or deletion once the user confirms. It affects every match, so the prompt shows their number and
 * some of them (platform-facts.md, 4).
 */
async function confirmAndPerform(
  deps: ResourcesDeps,
  filter: JsonObject,
  operation: Operation,
  action: string,
): Promise<void> {
  const { writer } = await deps.changeServices();
  const { objects: matches, planHash } = await previewCustomDataChange(writer, operation);
  if (matches.length === 0) {
    await showInformation(t('No custom data objects match {0}.', stringify(filter)));
    return;
  }
  const sample = matches.slice(0, maxSampleObjects).map((match) => {
    const text = stringify(match);
    return text.length > maxSampleLength ? `${text.slice(0, maxSampleLength)}…` : text;
  });
  const omittedCount = matches.length - sample.length;
  const detail = [...sample, ...(omittedCount > 0 ? [t('and {0} more', omittedCount)] : [])];
  const summary = matches.length === 1 ? t('1 object matches') : t('{0} objects match', matches.length);
  if ((await showModalQuestion(summary, detail, action)) === action) {
    // If other objects match when the question is answered, Review Changes lists them.
    await deps.changeReview.perform(operation, { confirmedPlanHash: planHash });
  }
}

async function promptForObject(
  title: string,
  prompt: string,
  initialText: string,
): Promise<JsonObject | undefined> {
  const question: TextQuestion = {
    title,
    prompt,
    placeholder: '{ "app": "notes" }',
    validate: (text) => (parseObject(text) === undefined ? t('Enter a JSON object.') : undefined),
  };
  const form = await runWizard<{ text: string }>([createTextStep('text', () => question)], {
    text: initialText,
  });
  return form && parseObject(form.text);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseLossless(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
