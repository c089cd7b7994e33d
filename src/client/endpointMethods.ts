import type { Localize } from '../base/localize.ts';
import type { EndpointId } from '../contract/endpoints.ts';
import type { ApiResponse } from './apiResponse.ts';

type EndpointArea<Id extends EndpointId> = Id extends `${infer Area}.${string}` ? Area : never;
type EndpointMethodName<Area extends string> = EndpointId extends infer Id
  ? Id extends `${Area}.${infer Name}`
    ? Name
    : never
  : never;

/**
 * The shape of a complete client: for every endpoint id `area.name` of the contract a method `name` in `area`. The
 * client implements it, so an endpoint that is added to the contract without a method does not compile.
 */
export type EndpointMethods = {
  readonly [Area in EndpointArea<EndpointId>]: {
    readonly [Name in EndpointMethodName<Area>]: (...args: never[]) => Promise<ApiResponse<unknown>>;
  };
};

/** For each endpoint of an area, the label of a request to it, as the subject of a sentence: `Loading the tables`. */
export type EndpointLabels<Area extends string> = Readonly<
  Record<Extract<EndpointId, `${Area}.${string}`>, (t: Localize) => string>
>;
