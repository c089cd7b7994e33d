import type { Connection } from '../connection.ts';
import type { WriteRefusal } from '../writeLocks.ts';

/** What the doctor looks at, in order: each step stands on those before it (design.md, section 6). */
export const stepIds = [
  'address',
  'dns',
  'tcp',
  'proxy',
  'tls',
  'http',
  'isauth',
  'administrator',
  'viewpoints',
] as const;
export type StepId = (typeof stepIds)[number];

/** `skipped` is no judgement: the step was not needed, or what it stands on failed. */
export type StepOutcome = 'ok' | 'warning' | 'failed' | 'skipped';

/** What a step found, for the shell to word. Closed: a table over it can be complete. */
export type Finding =
  | 'address-usable'
  | 'address-unusable'
  | 'sandbox-not-started'
  | 'name-found'
  | 'name-is-address'
  | 'name-unknown'
  | 'resolver-failed'
  | 'port-open'
  | 'port-closed'
  | 'host-unreachable'
  | 'no-proxy'
  | 'proxy-lets-through'
  | 'proxy-forwards'
  | 'proxy-not-examined'
  | 'proxy-setting-unusable'
  | 'proxy-needs-password'
  | 'proxy-refuses'
  | 'proxy-speaks-otherwise'
  | 'proxy-untrusted'
  | 'trusted'
  | 'expires-soon'
  | 'unverified'
  | 'not-encrypted'
  | 'encryption-not-needed'
  | 'encryption-behind-proxy'
  | 'self-signed'
  | 'unknown-authority'
  | 'expired'
  | 'not-yet-valid'
  | 'other-name'
  | 'untrusted'
  | 'no-handshake'
  | 'certificate-file-unusable'
  | 'answers'
  | 'web-page'
  | 'sent-elsewhere'
  | 'nothing-there'
  | 'server-error'
  | 'not-the-platform'
  | 'exchange-failed'
  | 'token-accepted'
  | 'token-refused'
  | 'no-token'
  | 'token-unusable'
  | 'administrator'
  | 'no-administrator'
  | 'refuses-writes'
  | 'viewpoints-run'
  | 'no-viewpoints'
  | 'unclear'
  | 'timed-out'
  | 'failed-otherwise'
  | 'not-reached';

/** What helps, for the shell to word and to offer as an action. */
export type DoctorRemedy =
  | 'edit-connection'
  | 'start-sandbox'
  | 'check-network'
  | 'check-proxy'
  | 'check-certificate'
  | 'add-authority'
  | 'verify-certificates'
  | 'use-https'
  | 'check-server'
  | 'sign-in'
  | 'unlock'
  | 'ask-administrator'
  | 'check-version';

/** What a step saw, as far as it applies. Never a token, and of a proxy never its password. */
export interface StepFacts {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly addresses?: readonly string[];
  /** Scheme, host and port of the proxy. */
  readonly proxy?: string;
  /** Where the proxy is told of. */
  readonly proxyFrom?: 'setting' | 'environment';
  readonly protocol?: string;
  /** Who the certificate is for, who vouches for it, and who for that one. */
  readonly chain?: readonly string[];
  /** The names that the certificate holds for. */
  readonly names?: readonly string[];
  readonly validFrom?: Date;
  readonly validTo?: Date;
  readonly status?: number;
  /** The server's own words, without the token. */
  readonly words?: string;
  /** The origin that a redirect points to. */
  readonly to?: string;
  /** The code or the words of what went wrong. */
  readonly reason?: string;
  readonly refusal?: WriteRefusal;
}

/** What a step answers. */
export interface StepResult {
  readonly outcome: StepOutcome;
  readonly finding: Finding;
  readonly facts?: StepFacts;
  readonly remedy?: DoctorRemedy;
  /** The release, and the licensed feature, that what the step looks for needs (spec, "Versioning"). */
  readonly needs?: { readonly since: string; readonly licence?: string };
}

/** One step of a diagnosis. */
export interface StepReport extends StepResult {
  readonly step: StepId;
  readonly facts: StepFacts;
  /** How long it took; 0 for what was skipped. */
  readonly ms: number;
  /** The failed step that this one stands on. */
  readonly because?: StepId;
}

/** What is wrong with a connection, step by step. */
export interface Diagnosis {
  readonly connection: Connection;
  readonly steps: readonly StepReport[];
  /** The worst outcome. */
  readonly verdict: 'ok' | 'warning' | 'failed';
  /** When it was made, in milliseconds since the epoch. */
  readonly time: number;
}

/** The first step that is to be dealt with: a failure before a warning. */
export const findMainProblem = ({ steps }: Pick<Diagnosis, 'steps'>): StepReport | undefined =>
  steps.find(({ outcome }) => outcome === 'failed') ?? steps.find(({ outcome }) => outcome === 'warning');
