import type { Connection } from '../connection.ts';
import type { WriteRefusal } from '../writeLocks.ts';

/** The steps of the doctor, in order: each but the first depends on an earlier one (decisions.md, "Connections"). */
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

/** `skipped` means that nothing is known: the step could not be run, or a step that it depends on failed. */
export type StepOutcome = 'ok' | 'warning' | 'failed' | 'skipped';

/** The finding of a step, as a code. A closed set, so that a table of texts is complete. */
export type StepFinding =
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
  | 'not-a-proxy'
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
  | 'viewpoints-not-ready'
  | 'no-viewpoints'
  | 'unclear'
  | 'timed-out'
  | 'failed-otherwise'
  | 'not-reached';

/** The suggested remedy, as a code; the editor offers it as an action. */
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

/** The facts that a step observed, if applicable. Never a token, and never the password of a proxy. */
export interface StepFacts {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly addresses?: readonly string[];
  /** Scheme, host and port of the proxy. */
  readonly proxy?: string;
  readonly proxySource?: 'setting' | 'environment';
  readonly protocol?: string;
  /** The names of the certificate, its issuer, the issuer's issuer and so on, up to the authority. */
  readonly chain?: readonly string[];
  /** The names that the certificate is valid for. */
  readonly names?: readonly string[];
  readonly validFrom?: Date;
  readonly validTo?: Date;
  readonly status?: number;
  /** The server's message, without the token. */
  readonly serverMessage?: string;
  /** The origin of the redirect target, or of the sign-in page of an instance with single sign-on. */
  readonly targetOrigin?: string;
  /** The code or the message of the failure. */
  readonly reason?: string;
  readonly refusal?: WriteRefusal;
}

/** The result of a step. */
export interface StepResult {
  readonly outcome: StepOutcome;
  readonly finding: StepFinding;
  readonly facts?: StepFacts;
  readonly remedy?: DoctorRemedy;
  /** The release, and the licensed feature, that are required for what the step checks (rest-api.md, "Versioning"). */
  readonly requirements?: { readonly since: string; readonly license?: string };
}

/** One step of a diagnosis. */
export interface StepReport extends StepResult {
  readonly step: StepId;
  readonly facts: StepFacts;
  /** Duration in milliseconds; 0 for a skipped step. */
  readonly ms: number;
  /** The failed step that is the reason why this one was skipped. */
  readonly failedDependency?: StepId;
}

/** The results of a diagnosis, step by step. */
export interface Diagnosis {
  readonly connection: Connection;
  readonly steps: readonly StepReport[];
  /** The worst outcome. */
  readonly verdict: 'ok' | 'warning' | 'failed';
  /** Creation time, in milliseconds since the epoch. */
  readonly time: number;
}

/** The first step that needs attention: a failure before a warning. */
export const findMainProblem = ({ steps }: Pick<Diagnosis, 'steps'>): StepReport | undefined =>
  steps.find(({ outcome }) => outcome === 'failed') ?? steps.find(({ outcome }) => outcome === 'warning');
