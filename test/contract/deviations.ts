import type { ProfileName } from '../../src/sandbox/profiles/profile.ts';
import type { Breach, Side } from './exchanges.ts';

/** A way in which product and sandbox are not as the contract has it, on purpose. */
export interface Deviation {
  readonly name: string;
  /** The profile in which alone it may be met; absent for both. */
  readonly profile?: ProfileName;
  /** The endpoints, by their ids. */
  readonly endpoints: RegExp;
  readonly side: Side;
  /** Where in the body, or in the words of the breach. */
  readonly at: RegExp;
  readonly reason: string;
}

export const deviations: readonly Deviation[] = [
  {
    name: 'viewpoints',
    endpoints: /^viewpoints\./,
    side: 'path',
    at: /^/,
    reason: 'The viewpoint service is younger than the contract; the spec alone has it.',
  },
  {
    name: 'one extract rule',
    endpoints: /^extractRules\.delete$/,
    side: 'path',
    at: /^/,
    reason:
      'The contract has no DELETE of one extract rule; the spec and all clients that are known have it.',
  },
  {
    name: 'addMany',
    endpoints: /^liveRules\.createMany$/,
    side: 'path',
    at: /^/,
    reason: 'Younger than the contract; recorded on instances of 2025. The guide does not have it.',
  },
  {
    name: 'type live',
    endpoints: /^datamodels\.(get|create)$/,
    side: 'answer',
    at: /^\/type$/,
    reason:
      'A slip of the contract: answers name the types extract and custom, while requests and build tasks have live.',
  },
  {
    name: 'columns of custom tables',
    endpoints: /^tables\.create$/,
    side: 'request',
    at: /^\/columns$/,
    reason:
      'A slip of the contract: it requires columns, which a custom table gets from its SQL. The recorded request of the vendor does not send them.',
  },
  {
    name: 'SQL in a PATCH',
    endpoints: /^tables\.update$/,
    side: 'request',
    at: /\/expression$/,
    reason:
      'A slip of the contract: the body of the PATCH is given the shape of its answer. The recorded request of the vendor sends text.',
  },
  {
    name: 'list of custom data',
    endpoints: /^customData\.query$/,
    side: 'answer',
    at: /^\/$/,
    reason: 'A slip of the contract: it says an object where it speaks of documents; clients read an array.',
  },
  {
    name: 'letter case',
    profile: 'guide',
    endpoints: /^session\.check$/,
    side: 'answer',
    at: /^\/isauthenticated$/,
    reason: 'The spec writes isauthenticated.',
  },
  {
    name: 'statuses',
    profile: 'guide',
    endpoints: /^(liveRules\.|builds\.cancelAll$)/,
    side: 'answer',
    at: /^status 200 /,
    reason: 'The spec names no status but the one of each error; the guide answers 200.',
  },
  {
    name: 'removed',
    profile: 'guide',
    endpoints: /^(datamodels|datasets|tables|relations)\.delete$/,
    side: 'answer',
    at: /^\/(status|title)$/,
    reason: 'The spec does not show what a DELETE answers; the guide tells the oid.',
  },
  {
    name: 'lists of live rules',
    profile: 'guide',
    endpoints: /^liveRules\.create$/,
    side: 'answer',
    at: /^\/$/,
    reason: 'The spec answers an array of the rules that were made.',
  },
  {
    name: 'arrays of live rules',
    profile: 'guide',
    endpoints: /^liveRules\.create$/,
    side: 'request',
    at: /^\/$/,
    reason: 'The spec takes an array, and the client sends one where it has met a server that does.',
  },
  {
    name: 'fields of live rules',
    profile: 'guide',
    endpoints: /^liveRules\.list$/,
    side: 'answer',
    at: /\/dataSourceId$/,
    reason: 'The spec does not know the field.',
  },
  {
    name: 'SQL of a column',
    profile: 'guide',
    endpoints: /^tables\./,
    side: 'answer',
    at: /\/columns\/#\/expression$/,
    reason: 'The spec has text.',
  },
  {
    name: 'words of builds',
    profile: 'guide',
    endpoints: /^builds\./,
    side: 'answer',
    at: /\/buildType$/,
    reason:
      'The spec names the types of a build with underscores, in requests; the guide answers what was sent.',
  },
];

/** The deviations that explain a breach in a profile. */
export const explaining = (breach: Breach, profile: ProfileName): readonly Deviation[] =>
  deviations.filter(
    (each) =>
      (each.profile ?? profile) === profile &&
      each.side === breach.side &&
      each.endpoints.test(breach.endpoint) &&
      each.at.test(breach.at === '' ? breach.says : breach.at),
  );
