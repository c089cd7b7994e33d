import { rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import type { JsonValue } from '../../src/base/json.ts';
import type { ResourceRef } from '../../src/catalog/resourceRef.ts';
import type { HistoryEntry } from '../../src/changes/journal/entry.ts';
import type { Operation } from '../../src/changes/model/operation.ts';
import { DocumentReader } from '../../src/changes/model/documentReader.ts';
import { PlanNeededError, type OperationReport } from '../../src/changes/run/writeErrors.ts';
import type { RunOptions } from '../../src/changes/run/runOptions.ts';
import { createRealWriter } from './createRealWriter.ts';
import { type TemporarySandbox, startTemporarySandbox } from './temporarySandbox.ts';

type RealWriter = ReturnType<typeof createRealWriter>;

/** The location of the user's operations, as recorded in the history. */
export const testLocation = { connectionId: 'c1', within: [] };

/**
 * A user of a demo sandbox with a real connection and their own history, for all tests of a file. The writer sends
 * their changes, and approves every plan.
 */
export class SandboxUserFixture {
  #sandbox: TemporarySandbox | undefined;
  #realWriter: RealWriter | undefined;

  constructor() {
    beforeAll(async () => {
      const sandbox = await startTemporarySandbox('demo');
      this.#sandbox = sandbox;
      this.#realWriter = createRealWriter({
        url: sandbox.url,
        token: sandbox.adminToken,
        folder: this.#folder,
      });
    });
    afterAll(async () => {
      this.client.dispose();
      await this.#sandbox?.stop();
      await rm(this.#folder, { recursive: true, force: true });
    });
  }

  get client(): RealWriter['client'] {
    return this.realWriter.client;
  }

  get realWriter(): RealWriter {
    if (this.#realWriter === undefined) {
      throw new Error('The sandbox is there only while tests run');
    }
    return this.#realWriter;
  }

  readDocument(ref: ResourceRef): Promise<JsonValue | undefined> {
    return new DocumentReader(this.client).readDocument(ref);
  }

  /** Runs an operation, approving its plan if there is one. */
  async perform(operation: Operation, options: RunOptions = {}): Promise<OperationReport> {
    const { writer } = this.realWriter;
    try {
      return await writer.run(operation, options);
    } catch (error) {
      if (error instanceof PlanNeededError) {
        return writer.run(operation, { ...options, approval: writer.approve(error.planHash) });
      }
      throw error;
    }
  }

  /** Returns the history entry of an operation. */
  async getHistoryEntry(report: OperationReport | undefined): Promise<HistoryEntry> {
    const entry = await this.realWriter.history.readEntry(testLocation.connectionId, report?.entryId ?? '');
    if (entry === undefined) {
      throw new Error('The history has no such entry');
    }
    return entry;
  }

  get #folder(): string {
    return `${this.#sandbox?.folder}-history`;
  }
}
