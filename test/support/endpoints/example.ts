import type * as z from 'zod';
import type { Write, WriteEndpointId } from '../../../src/changes/model/operation.ts';
import type { Answer } from '../../../src/client/answer.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import type { ProfileName } from '../../../src/sandbox/profiles/profile.ts';

/** Names for one call of every method; a test may override some. */
export interface CallArguments {
  readonly datamodelId: string;
  readonly datasetId: string;
  readonly tableId: string;
  readonly relationId: string;
  readonly columnId: string;
  readonly buildId: string;
  readonly ruleId: string;
  readonly viewpointId: string;
  readonly server: string;
  readonly elasticube: string;
  readonly title: string;
  readonly user: string;
}

/**
 * The definition of an operation in the vendor's published contract: facts in our own words, limited to what the
 * product uses.
 */
export interface ContractOperation {
  /** The file of the contract and the path in it. */
  readonly source: string;
  /** The success statuses that it defines. */
  readonly statuses: readonly number[];
  /** Required query parameters. */
  readonly query?: readonly string[];
  readonly request?: z.ZodType;
  /** Shape of the body for a success status other than 204; absent if the contract gives none. */
  readonly answer?: z.ZodType;
}

export type ExchangeSide = 'path' | 'request' | 'answer';

/** An intentional deviation of product and sandbox from the contract. */
export interface Deviation {
  readonly name: string;
  /** The only profile in which it may occur; absent for both. */
  readonly profile?: ProfileName;
  readonly side: ExchangeSide;
  /** A pattern for the place in the body, or for the message of the breach. */
  readonly at: RegExp;
  readonly reason: string;
}

/** Everything that the tests of all endpoints need to know about one. */
export interface Example {
  /** One call, with a body that the payload functions accept. */
  readonly call: (
    client: PlatformClient,
    names: CallArguments,
    signal: AbortSignal | undefined,
  ) => Promise<Answer<unknown>>;
  /** `undefined` if the contract has no such operation: a deviation gives the reason. */
  readonly operation: ContractOperation | undefined;
  readonly deviations?: readonly Deviation[];
}

/** An example of an endpoint that changes a document. */
export interface WriteExample extends Example {
  /**
   * A change of the demo that can be undone completely.
   * @param client of the demo, to look up what has no fixed name
   */
  readonly write: (client: PlatformClient) => Write | Promise<Write>;
}

/**
 * The examples of one area, e.g. of the endpoints whose ids start with `tables.`; the compiler requires all of them.
 */
export type ExamplesOf<Area extends string> = {
  readonly [Id in Extract<EndpointId, `${Area}.${string}`>]: Id extends WriteEndpointId
    ? WriteExample
    : Example;
};

/** For an endpoint that the contract does not have. */
export const notInContract = (name: string, reason: string): Pick<Example, 'operation' | 'deviations'> => ({
  operation: undefined,
  deviations: [{ name, side: 'path', at: /^/, reason }],
});

/** Asserts that a value is defined. */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('The demo does not have it');
  }
  return value;
}
