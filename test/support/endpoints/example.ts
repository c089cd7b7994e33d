import type * as z from 'zod';
import type { Write, WriteEndpointId } from '../../../src/changes/model/operation.ts';
import type { Answer } from '../../../src/client/answer.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import type { ProfileName } from '../../../src/sandbox/profiles/profile.ts';

/** Names for one call of every method; a test may use some of its own. */
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

/** What the vendor's published contract says of an operation: facts in our own words, of what the product uses. */
export interface ContractOperation {
  /** The file of the contract and the path in it. */
  readonly source: string;
  /** The statuses of success that it promises. */
  readonly statuses: readonly number[];
  /** Query parameters without which it is not to be asked. */
  readonly query?: readonly string[];
  readonly request?: z.ZodType;
  /** Shape of the body with a status of success, but for 204; absent where the contract gives none. */
  readonly answer?: z.ZodType;
}

export type ExchangeSide = 'path' | 'request' | 'answer';

/** A way in which product and sandbox are not as the contract has it, on purpose. */
export interface Deviation {
  readonly name: string;
  /** The profile in which alone it may be met; absent for both. */
  readonly profile?: ProfileName;
  readonly side: ExchangeSide;
  /** Where in the body, or in the words of the breach. */
  readonly at: RegExp;
  readonly reason: string;
}

/** Everything that the tests of all endpoints need to know of one. */
export interface Example {
  /** One call, with a body that the payload makers accept. */
  readonly call: (
    client: PlatformClient,
    names: CallArguments,
    signal: AbortSignal | undefined,
  ) => Promise<Answer<unknown>>;
  /** `undefined` where the contract has no such operation: a deviation says why. */
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

/** The examples of one area, e.g. of the endpoints whose ids start with `tables.`; the compiler asks for all of them. */
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

/** What must be there. */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('The demo does not have it');
  }
  return value;
}
