import type { JsonObject } from '../../base/json.ts';
import type { EndpointId, PathDialect } from '../../contract/endpoints.ts';
import type { BuildStatus, SandboxBuildTask } from '../builds/buildTask.ts';
import type { EndpointResponse, EndpointCall } from '../endpointCall.ts';
import type { EditContext } from '../context.ts';
import type { PartyNameResolver } from '../models/ruleDocument.ts';
import type { HttpProblem } from '../problem.ts';

/** The names of the profiles, as `--profile` accepts them (decisions.md, "Two kinds of server"). */
export const profileNames = ['guide', 'contract'] as const;
export type ProfileName = (typeof profileNames)[number];

/**
 * Effects of a POST of a rule whose shares are exactly those of a rule that its column has: it adds another one, it
 * overwrites that one and keeps its `_id`, or it overwrites it and gives it a new one. The vendor's contract says
 * "overwritten" and nothing about the `_id`; the guide says nothing at all.
 */
export const sameSharesModes = ['add', 'overwrite', 'overwrite-new-id'] as const;
export type SameShares = (typeof sameSharesModes)[number];

/** The paths of endpoints, and who may call them. */
export interface PathPolicy {
  readonly dialects: readonly PathDialect[];
  /** Endpoints that the product knows and this platform does not have. */
  readonly missing: readonly EndpointId[];
  /** True if no token is required, besides the endpoints that the guide names. */
  readonly isAnonymous: (id: EndpointId) => boolean;
  /** True if a known path with another method is distinguished from an unknown path (405 instead of 404). */
  readonly checksMethods: boolean;
}

/** The effects of a column's rules on a new rule, or on one that is to be deleted. */
export interface RulePolicy {
  readonly sameShares: SameShares;
  /** True if live rules may hide values instead of allowing them; the guide's table of live fields lacks it. */
  readonly liveExclusionary: boolean;
  /**
   * Refuses a new live rule because of the parties it names; absent if parties are not checked.
   * @param others the rules of its column whose shares are not exactly its own
   * @throws HttpProblem 400 with one of the contract's codes
   */
  readonly checkLiveParties?: (
    rule: JsonObject,
    others: readonly JsonObject[],
    people: PartyNameResolver,
  ) => void;
  /**
   * Refuses to delete a live rule; absent if any may be deleted.
   * @param others the other rules of its column
   * @throws HttpProblem 400 with the contract's code
   */
  readonly checkLiveDelete?: (rule: JsonObject, others: readonly JsonObject[]) => void;
}

/** The responses about build tasks. */
export interface BuildPolicy {
  readonly toJson: (task: SandboxBuildTask) => JsonObject;
  /** @throws HttpProblem when a task cannot be read yet. `now` is milliseconds since the epoch. */
  readonly checkRead: (task: SandboxBuildTask, now: number) => void;
  /** Returns the response to a cancel; `before` is the status that the task had. */
  readonly cancelled: (task: SandboxBuildTask, before: BuildStatus) => EndpointResponse;
  /** True if the models of a seed are built and published at startup. */
  readonly seedsAreBuilt: boolean;
}

/** Checks a call before its route runs. Throws an HttpProblem to refuse it. */
export type RequestChecks = {
  readonly [Id in EndpointId]?: (call: EndpointCall<Id>, context: EditContext) => void;
};

/** Gives the response of a route the status and the shape that it has on the wire; may throw an HttpProblem instead. */
export type ResponseShapers = {
  readonly [Id in EndpointId]?: (
    answer: EndpointResponse,
    call: EndpointCall<Id>,
    context: EditContext,
  ) => EndpointResponse;
};

/**
 * The decisions of a sandbox where the guide and the vendor's contract differ (decisions.md, "Two kinds of server").
 * Routes use it without knowing which profile it is.
 */
export interface Profile {
  readonly paths: PathPolicy;
  readonly rules: RulePolicy;
  readonly builds: BuildPolicy;
  /** True if a custom table has the columns that its SQL yields before any build. */
  readonly columnsBeforeBuild: boolean;
  readonly requests: RequestChecks;
  readonly answers: ResponseShapers;
  /** Returns the body of an error in the format of the path's area. */
  readonly errorBody: (problem: HttpProblem, path: string) => unknown;
}
