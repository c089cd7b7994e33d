import { type JsonValue, isJsonObject, isRawNumber } from '../base/json.ts';

/** The status of the viewpoint service, as it reports it. */
export interface ViewpointStatus {
  readonly isReady: boolean;
  /** The simple values of the response, such as `status: ok, enabled: true`; empty if there are none. */
  readonly summary: string;
}

/**
 * Reads the response of GET /infusion/status. Its body isn't described (rest-api.md, "What is not described"), so the
 * service only counts as not ready if that is certain: if a flag is false, or the name of the state means it.
 */
export function readViewpointStatus(body: JsonValue | undefined): ViewpointStatus {
  const members = isJsonObject(body)
    ? Object.entries(body)
    : body === undefined
      ? []
      : [['status', body] as const];
  const simpleMembers = members.flatMap(([name, value]) => {
    const text = toText(value);
    return text === undefined ? [] : [{ name, text }];
  });
  return {
    isReady: !simpleMembers.some(
      ({ name, text }) =>
        (flagPattern.test(name) && text === 'false') ||
        (statePattern.test(name) && badStatePattern.test(text)),
    ),
    summary: simpleMembers.map(({ name, text }) => `${name}: ${text}`).join(', '),
  };
}

const flagPattern = /^(?:is)?(?:enabled|ready|healthy|available|running|active|up|ok|success)$/i;
const statePattern = /^(?:status|state|health)$/i;
const badStatePattern =
  /\b(?:not|down|disabled|unavailable|error|fail\w*|start\w*|initiali[sz]ing|pending|stopp\w*|degraded|maintenance|unhealthy|inactive|false)\b/i;

/** The maximum length of a value; longer texts don't describe a state. */
const maxLength = 100;

function toText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
    return String(value).slice(0, maxLength);
  }
  return isRawNumber(value) ? value.rawJSON : undefined;
}
