import type * as z from 'zod';
import type { Write, WriteEndpointId } from '../../../src/changes/model/operation.ts';
import type { ApiResponse } from '../../../src/client/apiResponse.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import type { ProfileName } from '../../../src/sandbox/profiles/profile.ts';

/** Arguments for a call of any client method: IDs and names. A test may override some of them. */
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
 * The definition of an operation in the vendor's published contract, restated by us and limited to what the product
 * uses.
 */
export interface VendorOperation {
  /** The version of the vendor's contract, the method and the path. */
  readonly signature: string;
  /** The success statuses that the vendor's contract defines. */
  readonly statuses: readonly number[];
  /** Required query parameters. */
  readonly query?: readonly string[];
  readonly request?: z.ZodType;
  /** The schema of a successful response other than 204; absent if the vendor's contract defines none. */
  readonly response?: z.ZodType;
}

export type ExchangeSide = 'path' | 'request' | 'response';

/** An intentional deviation of the product and the sandbox from the vendor's contract. */
export interface Deviation {
  readonly name: string;
  /** The only profile with the deviation; absent if both have it. */
  readonly profile?: ProfileName;
  readonly side: ExchangeSide;
  /** Matches the path of a breach in the body, or the message of a breach without a path. */
  readonly pattern: RegExp;
  readonly reason: string;
}

/** The definition of an endpoint for the tests that run for all endpoints. */
export interface Example {
  /** Calls the client method, with a body that the payload functions accept. */
  readonly call: (
    client: PlatformClient,
    args: CallArguments,
    signal: AbortSignal | undefined,
  ) => Promise<ApiResponse<unknown>>;
  /** `undefined` if the vendor's contract has no such operation; then a deviation gives the reason. */
  readonly vendorOperation: VendorOperation | undefined;
  readonly deviations?: readonly Deviation[];
}

/** An example of an endpoint that changes a document. */
export interface WriteExample extends Example {
  /**
   * Creates a change of the demo data that can be undone completely.
   * @param client the client of the demo sandbox, to look up items without fixed IDs
   */
  readonly createWrite: (client: PlatformClient) => Write | Promise<Write>;
}

/**
 * The examples of one area: of all endpoints whose IDs start with the area's name, such as `tables.`.
 */
export type AreaExamples<Area extends string> = {
  readonly [Id in Extract<EndpointId, `${Area}.${string}`>]: Id extends WriteEndpointId
    ? WriteExample
    : Example;
};

/** Creates the part of an example for an endpoint that the vendor's contract does not have. */
export const declareMissingInVendorContract = (
  name: string,
  reason: string,
): Pick<Example, 'vendorOperation' | 'deviations'> => ({
  vendorOperation: undefined,
  deviations: [{ name, side: 'path', pattern: /^/, reason }],
});

/** Returns a value of the demo data; throws if it is undefined. */
export function requireDefined<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('The demo does not have it');
  }
  return value;
}
