import { ApiError, HttpError, RedirectError, PayloadError } from '../client/errors.ts';
import { decodeUtf8 } from '../base/decodeText.ts';
import { type JsonValue, isJsonObject } from '../base/json.ts';
import type { Operation, Write } from '../changes/model/operation.ts';
import { findReplacedNames } from '../changes/model/tableRenames.ts';
import { isTableUpdate } from '../changes/model/tableWrites.ts';
import { ConflictError, type OperationReport, StoppedError } from '../changes/run/writeErrors.ts';
import { maskConnectorDocument } from '../base/secrets/maskSecrets.ts';
import { isSameRef } from '../catalog/resourceRef.ts';
import { getContainerNames, getDisplayName } from './documentAddress.ts';
import type { DocumentState } from './documentState.ts';
import { recoverInterruptedSave, handleStoppedSave } from './interruptedSave.ts';
import { parseJsonText } from './jsonText.ts';
import { withCurrentIds } from './kinds/ruleKinds.ts';
import { DocumentRefusedError } from './refusals.ts';
import { DocumentConflictError, SaveNotAppliedError } from './saveErrors.ts';
import type { SaveHost } from './saveHost.ts';
import type { SaveIntent } from './saveIntent.ts';
import type { ServerDocument } from './serverDocumentCache.ts';
import { Version } from './version.ts';

/** The result of a save. */
export interface SaveResult {
  readonly version: Version;
  /** The server's document after the writes; `undefined` if it was not derived from their responses. */
  readonly serverDocument: ServerDocument | undefined;
  /**
   * `undefined` if nothing was sent, if a write failed although the server applied it, or if the user finished the
   * interrupted save of this text from the history.
   */
  readonly report: OperationReport | undefined;
  /** True if the text has comments, which no server stores. */
  readonly hasComments: boolean;
}

/** The maximum number of attempts: a save starts over if the document changed in parts that the user does not see. */
const maxAttempts = 3;

/**
 * Stores the user's text on the server.
 * @throws DocumentRefusedError when nothing can be sent
 * @throws DocumentConflictError when the server has a newer version that the user was not asked about
 * @throws ConnectionLockedError when the connection must be unlocked first
 * @throws ErrorsFoundError when the user has to decide about errors first
 * @throws PlanNeededError when the user has to review the plan first
 * @throws IncompleteSaveError when some of it was done, and ApiError when nothing was
 */
export async function saveDocument(
  state: DocumentState,
  host: SaveHost,
  bytes: Uint8Array,
): Promise<SaveResult> {
  const { handler, path } = state;
  if (handler.isReadOnly) {
    throw new DocumentRefusedError('read-only');
  }
  const { value, hasComments } = parseSavedText(handler.language, bytes);
  const version = new Version(value, bytes, handler.isServerManaged);
  const recovery = await recoverInterruptedSave(state, host, version.hash);
  if (recovery !== undefined) {
    return { version, serverDocument: undefined, report: recovery.report, hasComments };
  }
  if (handler.getCreatedName !== undefined) {
    // The user decides about errors in the text first: unlocking and the review assume that the resource is complete.
    host.assertNoErrors({ replacedNames: [] });
  }
  for (let attempt = 1; ; attempt += 1) {
    const current = await host.refresh();
    const { serverDocument } = state;
    if (!(await canOverwrite(state, host.intent, { ours: version, theirs: current.version }))) {
      throw new DocumentConflictError(path, current.version, state.base);
    }
    if (serverDocument?.value === undefined || serverDocument.isMasked) {
      throw new DocumentRefusedError('gone');
    }
    const writes = createWrites(state, host, { source: serverDocument.value, next: version.value });
    if (writes.length === 0) {
      return { version, serverDocument: undefined, report: undefined, hasComments };
    }
    state.attemptedHash = version.hash;
    try {
      const report = await sendWrites(state, host, {
        writes,
        source: serverDocument.value,
        next: version.value,
      });
      const documentAfter = getServerDocumentAfter(state, serverDocument.value, report);
      if (handler.getCreatedName === undefined) {
        checkSaveApplied(state, { before: current.version, userVersion: version, after: documentAfter });
      }
      return { version, serverDocument: documentAfter, report, hasComments };
    } catch (error) {
      if (isServerResponse(error) && (await isStoredOnServer(host, version))) {
        return { version, serverDocument: undefined, report: undefined, hasComments };
      }
      if (!(error instanceof ConflictError)) {
        throw error;
      }
      host.invalidate();
      if (attempt === maxAttempts) {
        throw new DocumentConflictError(path, (await host.refresh()).version, state.base);
      }
    }
  }
}

const isServerResponse = (error: unknown): boolean =>
  error instanceof HttpError || error instanceof RedirectError;

/**
 * Checks that the server applied the save: it may accept one and keep its earlier version. A change of masked parts
 * only can't be checked.
 * @throws SaveNotAppliedError
 */
function checkSaveApplied(
  { handler, path }: DocumentState,
  {
    before,
    userVersion,
    after,
  }: { readonly before: Version; readonly userVersion: Version; readonly after: ServerDocument },
): void {
  const shownValue = after.value === undefined ? undefined : handler.getVisiblePart(after.value);
  const isApplied =
    shownValue === undefined || Version.create(shownValue, handler.isServerManaged).hash !== before.hash;
  if (
    !isApplied &&
    Version.create(maskConnectorDocument(userVersion.value), handler.isServerManaged).hash !== before.hash
  ) {
    throw new SaveNotAppliedError(path);
  }
}

/** A proxy may report an error although the server applied the save, so the server's content is read again. */
async function isStoredOnServer(host: SaveHost, version: Version): Promise<boolean> {
  host.invalidate();
  try {
    return (await host.refresh()).version.hash === version.hash;
  } catch (error) {
    if (error instanceof ApiError || error instanceof DocumentRefusedError) {
      return false;
    }
    throw error;
  }
}

/**
 * Returns whether the server's version may be overwritten: if the user's text is based on it or was merged with it, or
 * if the user agreed. If the user has resolved all conflicts of a merge, also makes the merged version the base.
 */
async function canOverwrite(
  state: DocumentState,
  { versionToOverwrite }: SaveIntent,
  { ours, theirs }: { readonly ours: Version; readonly theirs: Version },
): Promise<boolean> {
  const { hash } = theirs;
  if (hash === state.base?.hash || hash === state.ownWriteHash || hash === versionToOverwrite?.hash) {
    return true;
  }
  if (hash !== state.mergedVersion?.hash) {
    return false;
  }
  const { areConflictsResolved } = await import('./documentMerge.ts');
  if (!areConflictsResolved(state, theirs, ours)) {
    return false;
  }
  // All conflicts are resolved, so what differs from the server's version is what the user wants.
  state.base = theirs;
  delete state.mergedVersion;
  return true;
}

function parseSavedText(
  language: 'json' | 'jsonc' | 'datamodel-sql',
  bytes: Uint8Array,
): { readonly value: JsonValue; readonly hasComments: boolean } {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    // The editor encodes files as set in `files.encoding`. Sent as UTF-8, characters would be lost.
    throw new DocumentRefusedError('not-utf-8');
  }
  if (language === 'datamodel-sql') {
    return { value: text, hasComments: false };
  }
  const parsed = parseJsonText(text, { allowsComments: language === 'jsonc' });
  if ('problems' in parsed) {
    throw new DocumentRefusedError('not-json', { problems: parsed.problems });
  }
  return parsed;
}

const withCurrentRuleIds = (
  { identity: { resource } }: DocumentState,
  { getCurrentRuleId }: SaveHost,
  { source, next }: { readonly source: JsonValue; readonly next: JsonValue },
): JsonValue =>
  resource.kind === 'columnRules' ? withCurrentIds(resource, next, { source, getCurrentRuleId }) : next;

function createWrites(
  state: DocumentState,
  host: SaveHost,
  { source, next }: { readonly source: JsonValue; readonly next: JsonValue },
): readonly Write[] {
  const { handler, base } = state;
  const { secretAnswers, everyoneElse } = host.intent;
  const before = base?.value ?? handler.getVisiblePart(source) ?? null;
  const nextDocument = withCurrentRuleIds(state, host, { source, next });
  try {
    return handler.createWrites({
      source,
      before,
      next: nextDocument,
      getSecretAnswer: (path) => secretAnswers?.get(JSON.stringify(path)),
      everyoneElse,
    });
  } catch (error) {
    if (error instanceof PayloadError) {
      throw new DocumentRefusedError('not-allowed', { paths: [error.path], payloadProblem: error.problem });
    }
    throw error;
  }
}

async function sendWrites(
  state: DocumentState,
  host: SaveHost,
  {
    writes,
    source,
    next,
  }: { readonly writes: readonly Write[]; readonly source: JsonValue; readonly next: JsonValue },
): Promise<OperationReport> {
  const { identity, handler, path } = state;
  const { approval, control, additionalWrites = [] } = host.intent;
  const createdName = handler.getCreatedName?.(next);
  const operation: Operation = {
    connectionId: identity.connectionId,
    cause: createdName === undefined ? 'save' : 'create',
    subject: { name: createdName ?? getDisplayName(path), within: getContainerNames(path) },
    writes: [...writes, ...additionalWrites],
  };
  host.assertNoErrors({ replacedNames: getReplacedNames(writes, source) });
  host.assertUnlocked();
  const writer = await host.getWriter();
  try {
    return await writer.run(operation, {
      expectedVersions: handler.getExpectedVersions(source),
      ...control,
      approval,
      // A new rule immediately changes which values people see.
      alwaysReview: createdName !== undefined,
      reviewsGains: host.reviewsGains,
      onResponseLost: () => host.onResponseLost(),
    });
  } catch (error) {
    if (!(error instanceof StoppedError)) {
      throw error;
    }
    throw await handleStoppedSave(state, host, error);
  }
}

/** Returns the names of tables and columns that writes to a document replace. */
const getReplacedNames = (writes: readonly Write[], source: JsonValue): readonly string[] =>
  isJsonObject(source)
    ? writes.filter(isTableUpdate).flatMap((write) => findReplacedNames(write, source))
    : [];

/**
 * Returns the server's document after the writes. Documents that were read after the writes take precedence over the
 * responses of the writes.
 */
function getServerDocumentAfter(
  { handler }: DocumentState,
  source: JsonValue,
  report: OperationReport,
): ServerDocument {
  const { writeStates, documents } = report;
  const responses = report.operation.writes.map((write, index): JsonValue | undefined => {
    const documentAfterWrite = documents.find(
      ({ ref }) => write.target !== undefined && isSameRef(ref, write.target),
    );
    const state = writeStates[index];
    return documentAfterWrite?.document ?? (state?.state === 'done' ? state.answer : undefined);
  });
  return {
    value: handler.applyWrites({ source, writes: report.operation.writes, responses }),
    isMasked: true,
  };
}
