import type { Words } from '../base/words.ts';
import type { EndpointId } from '../contract/endpoints.ts';
import type { Answer } from './answer.ts';

type AreaOf<Id extends EndpointId> = Id extends `${infer Area}.${string}` ? Area : never;
type MethodsOf<Area extends string> = EndpointId extends infer Id
  ? Id extends `${Area}.${infer Name}`
    ? Name
    : never
  : never;

/**
 * What a complete client looks like: for every endpoint id `area.name` of the contract a method `name` in `area`.
 * The client implements it, so an endpoint that is added to the contract without a method does not compile.
 */
export type EndpointMethods = {
  readonly [Area in AreaOf<EndpointId>]: {
    readonly [Name in MethodsOf<Area>]: (...args: never[]) => Promise<Answer<unknown>>;
  };
};

/** What a person was doing when an operation of an area failed, as the subject of a sentence. */
export type EndpointLabels<Area extends string> = Readonly<
  Record<Extract<EndpointId, `${Area}.${string}`>, (t: Words) => string>
>;
