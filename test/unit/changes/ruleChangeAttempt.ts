import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { changeRules } from '../../../src/changes/rules/changeRules.ts';
import { parseRuleDocuments, fulfills } from '../../../src/changes/rules/parsedRuleDocument.ts';
import { createReverseTarget } from '../../../src/changes/rules/reverseTarget.ts';
import { RulesChangedError, RulesDifferError } from '../../../src/changes/rules/ruleItems.ts';
import type { RuleEndpointBehavior } from '../../../src/changes/rules/rulePhase.ts';
import {
  RuleChangeRefusedError,
  type RuleEdit,
  type RuleTarget,
  createRuleTarget,
} from '../../../src/changes/rules/ruleTarget.ts';
import {
  FakeFailure,
  getFakeFailure,
  FakeRuleServer,
  type SamePartiesEffect,
} from '../../fakes/fakeRuleServer.ts';
import { arbitraryEdits, type SubjectKind, arbitraryRules } from './arbitraryRules.ts';

export const unknownBehavior: RuleEndpointBehavior = {
  alwaysAdds: false,
  rejectsSecondRule: false,
  canDeleteSingleRules: false,
};

/** A change of rules, and the server that it is made on. */
export interface RuleChangeCase {
  readonly kind: SubjectKind;
  /** The server allows each party in only one live rule per column. */
  readonly isStrict: boolean;
  readonly allowsDuplicateParties: boolean;
  /** The server is known to delete single rules. */
  readonly canDeleteSingleRules: boolean;
  readonly samePartiesEffect: SamePartiesEffect | 'changing';
  readonly rules: readonly JsonObject[];
  readonly edits: readonly RuleEdit[];
}

export const arbitraryCase = (
  samePartiesEffect: RuleChangeCase['samePartiesEffect'],
): fc.Arbitrary<RuleChangeCase> =>
  fc
    .record({
      kind: fc.constantFrom<SubjectKind>('extract', 'live'),
      isStrict: fc.boolean(),
      allowsDuplicateParties: fc.boolean(),
      canDeleteSingleRules: fc.boolean(),
    })
    .chain(({ kind, isStrict, allowsDuplicateParties, canDeleteSingleRules }) => {
      const isStrictServer = kind === 'live' && isStrict;
      return arbitraryRules(kind, isStrictServer || samePartiesEffect !== 'add').chain((rules) =>
        arbitraryEdits(kind, rules, isStrictServer).map((edits) => ({
          kind,
          isStrict: isStrictServer,
          allowsDuplicateParties,
          canDeleteSingleRules,
          samePartiesEffect,
          rules,
          edits,
        })),
      );
    });

function createServer(
  { kind, isStrict, allowsDuplicateParties, samePartiesEffect, rules }: RuleChangeCase,
  Server: typeof FakeRuleServer,
): FakeRuleServer {
  const effects: readonly SamePartiesEffect[] = ['add', 'overwrite', 'overwrite-new-id'];
  return new Server(rules, {
    kind,
    isStrict,
    allowsDuplicateParties,
    getSamePartiesEffect: (request) =>
      samePartiesEffect === 'changing'
        ? (effects[(request * 7 + rules.length) % 3] ?? 'add')
        : samePartiesEffect,
  });
}

/** The outcome of an attempt; `stopped` contains the reason. */
export type RuleChangeOutcome = 'done' | 'refused' | 'stopped' | 'changed-by-others';

/** Attempts to make a change, to resume it, and to roll it back. */
export class RuleChangeAttempt {
  readonly server: FakeRuleServer;
  readonly target: RuleTarget;
  readonly denyScopes = new Set<string>();
  readonly createdIds = new Set<string>();
  behavior = unknownBehavior;
  /** The indices of the writes whose requests were answered. */
  readonly answeredWrites: (number | undefined)[] = [];
  hasConcurrentChanges = false;
  /** The error that ended the last run. */
  error: unknown;

  constructor(testCase: RuleChangeCase, Server = FakeRuleServer) {
    this.behavior = { ...unknownBehavior, canDeleteSingleRules: testCase.canDeleteSingleRules };
    this.server = createServer(testCase, Server);
    this.target = createRuleTarget(testCase.kind, testCase.rules, testCase.edits);
  }

  async run(target = this.target): Promise<RuleChangeOutcome> {
    try {
      this.error = undefined;
      const { hasConcurrentChanges } = await changeRules(this.server, target, {
        behavior: this.behavior,
        onNewBehavior: (behavior) => {
          this.behavior = behavior;
        },
        denyScopes: [...this.denyScopes],
        createdIds: [...this.createdIds],
        onRulesCreated: (ids) => {
          expect(ids).not.toEqual([]);
          ids.forEach((id) => this.createdIds.add(id));
          return Promise.resolve();
        },
        onBeforeDenyRules: (scopes) => {
          expect(scopes).not.toEqual([]);
          scopes.forEach((scope) => this.denyScopes.add(scope));
          return Promise.resolve();
        },
        classifyFailure: getFakeFailure,
        onProgress: (request) => {
          const deletedId = request.kind === 'delete' ? request.id : '';
          this.answeredWrites.push(
            request.wanted?.writeIndex ?? this.target.deletingWriteIndices.get(deletedId),
          );
        },
      });
      this.hasConcurrentChanges = hasConcurrentChanges;
      return 'done';
    } catch (error) {
      this.error = error;
      if (error instanceof RuleChangeRefusedError) {
        return this.server.states.length === 1 ? 'refused' : 'stopped';
      }
      if (error instanceof RulesChangedError) {
        return 'changed-by-others';
      }
      if (error instanceof FakeFailure || error instanceof RulesDifferError) {
        return 'stopped';
      }
      throw error;
    }
  }

  rollBack(): Promise<RuleChangeOutcome> {
    return this.run(
      createReverseTarget(
        parseRuleDocuments(this.server.rules),
        this.target,
        this.denyScopes,
        this.createdIds,
      ),
    );
  }

  hasTargetRules(): boolean {
    return this.#areCurrentRules(this.target.wantedRules.map(({ parsed }) => parsed.document));
  }

  hasPreviousRules(): boolean {
    return this.#areCurrentRules([...this.target.previousById.values()].map(({ document }) => document));
  }

  #areCurrentRules(rules: readonly JsonObject[]): boolean {
    const currentRules = parseRuleDocuments(this.server.rules).filter(({ columnKey }) =>
      this.target.columnKeys.has(columnKey),
    );
    return haveSameContent(
      currentRules.map(({ document }) => document),
      rules,
    );
  }
}

function haveSameContent(a: readonly JsonObject[], b: readonly JsonObject[]): boolean {
  const [left, right] = [[...parseRuleDocuments(a)], parseRuleDocuments(b)];
  return (
    left.length === right.length &&
    right.every((rule) => {
      const index = left.findIndex((candidate) => fulfills(candidate, rule));
      left.splice(index, index === -1 ? 0 : 1);
      return index !== -1;
    })
  );
}
