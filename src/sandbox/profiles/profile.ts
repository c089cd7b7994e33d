import type { JsonObject } from '../../base/json.ts';
import type { EndpointId, PathDialect } from '../../contract/endpoints.ts';
import type { BuildStatus, SandboxBuildTask } from '../builds/buildTask.ts';
import type { EndpointResponse, EndpointCall } from '../endpointCall.ts';
import type { EditContext } from '../editContext.ts';
import type { PartyNameResolver } from '../models/ruleDocument.ts';
import type { HttpProblem } from '../problem.ts';

/** The names of the profiles, as `--profile` accepts them (decisions.md, "Two kinds of server"). */
export const profileNames = ['guide', 'contract'] as const;
export type ProfileName = (typeof profileNames)[number];

/**
 * What a POST of a rule does if its column already has a rule with exactly the same shares: `add` adds another rule,
 * `overwrite` replaces it and keeps its `_id`, `overwrite-new-id` replaces it with a new `_id`. The vendor's contract
 * says "overwritten" but does not mention the `_id`; the guide does not specify it.
 */
export const sameSharesModes = ['add', 'overwrite', 'overwrite-new-id'] as const;
export type SameSharesMode = (typeof sameSharesModes)[number];

/** The paths of a platform's endpoints, and which of them require a token. */
export interface PathPolicy {
  readonly dialects: readonly PathDialect[];
  /** Endpoints of the contract that this platform does not have. */
  readonly missingEndpoints: readonly EndpointId[];
  /** Returns true for endpoints that require no token on this platform, beyond those that never require one. */
  readonly allowsAnonymous: (id: EndpointId) => boolean;
  /** True if the response to a known path with a wrong method is 405; false if it is 404, as for unknown paths. */
  readonly checksMethods: boolean;
}

/** How the existing rules of a column affect the creation and deletion of rules. */
export interface RulePolicy {
  readonly sameShares: SameSharesMode;
  /** True if live rules may be `exclusionary`; the guide does not list that field for live rules. */
  readonly allowsLiveExclusionary: boolean;
  /**
   * Checks the parties of a new live rule; absent if parties are not checked.
   * @param otherRules the rules of its column with different shares
   * @throws HttpProblem 400 with one of the codes of the vendor's contract
   */
  readonly checkLiveParties?: (
    rule: JsonObject,
    otherRules: readonly JsonObject[],
    resolver: PartyNameResolver,
  ) => void;
  /**
   * Checks whether a live rule may be deleted; absent if any rule may be.
   * @param otherRules the other rules of its column
   * @throws HttpProblem 400 with the code of the vendor's contract
   */
  readonly checkLiveDelete?: (rule: JsonObject, otherRules: readonly JsonObject[]) => void;
}

/** How a platform responds to requests for build tasks, and whether seeds are built. */
export interface BuildPolicy {
  readonly toJson: (task: SandboxBuildTask) => JsonObject;
  /** Throws an HttpProblem if a task cannot be read yet. `now` is in milliseconds since the epoch. */
  readonly rejectTooEarlyRead: (task: SandboxBuildTask, now: number) => void;
  /** Returns the response to a cancellation; `previousStatus` is the status that the task had before. */
  readonly getCancelResponse: (task: SandboxBuildTask, previousStatus: BuildStatus) => EndpointResponse;
  /** True if the datamodels of a seed are built or published at startup. */
  readonly buildsSeeds: boolean;
}

/** Checks of calls before their handler runs. They throw an HttpProblem to reject a call. */
export type RequestChecks = {
  readonly [Id in EndpointId]?: (call: EndpointCall<Id>, context: EditContext) => void;
};

/** Functions that adapt the response of a handler to the profile. They may throw an HttpProblem instead. */
export type ResponseTransforms = {
  readonly [Id in EndpointId]?: (
    response: EndpointResponse,
    call: EndpointCall<Id>,
    context: EditContext,
  ) => EndpointResponse;
};

/**
 * How a sandbox behaves where the guide and the vendor's contract differ (decisions.md, "Two kinds of server"). Routes
 * do not know which profile they use.
 */
export interface Profile {
  readonly paths: PathPolicy;
  readonly rules: RulePolicy;
  readonly builds: BuildPolicy;
  /** True if a custom table has its generated columns as soon as it is saved, before any build. */
  readonly hasColumnsBeforeBuild: boolean;
  readonly requestChecks: RequestChecks;
  readonly responseTransforms: ResponseTransforms;
  /** Creates the body of an error response; its format depends on the path. */
  readonly createErrorBody: (problem: HttpProblem, path: string) => unknown;
}
