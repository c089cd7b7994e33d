import type { RecoveryResult } from '../changes/run/recovery.ts';
import type { Operation } from '../changes/model/operation.ts';
import type { OperationReport } from '../changes/run/problems.ts';
import type { Expected, RunOptions } from '../changes/run/runOptions.ts';
import type { DocumentRef } from './documentAddress.ts';
import type { ShownVersion } from './documentState.ts';
import type { SaveIntent } from './saveIntent.ts';

type RuleRef = Extract<DocumentRef, { kind: 'rule' }>;

/** What sends the writes of a save: with a plan and a history before it. */
export interface DocumentWriter {
  run(operation: Operation, options: RunOptions): Promise<OperationReport>;
  /** Ends what stopped half-way; `undefined` when somebody has done so. */
  recover(
    stopped: { readonly connectionId: string; readonly entryId: string },
    options?: Pick<RunOptions, 'onUnknown'>,
  ): Promise<RecoveryResult | undefined>;
  /** The documents as an operation left them that came to its end. */
  getVersionsLeftBy(of: {
    readonly connectionId: string;
    readonly entryId: string;
  }): Promise<readonly Expected[] | undefined>;
}

/** What one save asks of the documents it belongs to. */
export interface SaveHost {
  /** What the person decided about this save. */
  readonly intent: SaveIntent;
  /** What the server holds now, secrets included; asks anew when the document was invalidated. */
  refresh(): Promise<ShownVersion>;
  /** What a rule is called now. */
  readonly currentRule: (rule: RuleRef) => string;
  /** The next look asks the server. */
  invalidate(): void;
  /** What the server holds now is what our own saves have made of it: the person's text goes on from there. */
  adoptOwnChanges(): Promise<void>;
  writer(): Promise<DocumentWriter>;
  onUnknown(): void;
}
