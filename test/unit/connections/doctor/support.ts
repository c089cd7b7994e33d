import { TransportFailure, type TransportRequest } from '../../../../src/client/transport.ts';
import type { Connection, ConnectionRole } from '../../../../src/connections/connection.ts';
import { diagnoseConnection } from '../../../../src/connections/doctor/diagnoseConnection.ts';
import type { DoctorDeps } from '../../../../src/connections/doctor/diagnosisContext.ts';
import type { Handshake, Probes, ProbeSocket } from '../../../../src/connections/doctor/probes.ts';
import type { Diagnosis, StepId, StepReport } from '../../../../src/connections/doctor/diagnosis.ts';
import type { WriteRefusal } from '../../../../src/connections/writeLocks.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';
import { type MemoryResponse, MemoryTransport } from '../../../fakes/memoryTransport.ts';

export const token = 'secret-token-of-the-user';
const dayMs = 24 * 60 * 60 * 1000;

export const createError = (code: string): Error => Object.assign(new Error(`failed with ${code}`), { code });

export const createGoodHandshake = (now: number): Handshake => ({
  protocol: 'TLSv1.3',
  problem: undefined,
  chain: ['bi.example.test', 'Authority'],
  names: ['bi.example.test'],
  validFrom: new Date(now - 90 * dayMs),
  validTo: new Date(now + 90 * dayMs),
});

/** The environment of a test, as far as it differs from one in which everything is in order. */
export interface DoctorSetup {
  readonly url?: string;
  readonly role?: ConnectionRole;
  readonly kind?: 'sandbox';
  readonly locate?: () => Promise<string>;
  readonly lookup?: Error | 'hangs';
  readonly connect?: Error | 'hangs';
  readonly handshake?: Partial<Handshake> | Error | 'hangs';
  readonly tunnel?: { readonly status: number | undefined } | Error;
  readonly proxy?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly strictSSL?: boolean;
  readonly certificates?: () => Promise<readonly string[]>;
  readonly token?: string | undefined;
  readonly refusal?: WriteRefusal;
  /** Responses by step: `http` is the session check without a token, `isauth` the one with it. */
  readonly answers?: Partial<
    Record<'http' | 'isauth' | 'administrator' | 'viewpoints', MemoryResponse | Error | 'hangs'>
  >;
  readonly abortAt?: StepId;
}

const json = (value: unknown, status = 200): MemoryResponse => ({ status, body: JSON.stringify(value) });

function getRequestedStep({
  method,
  url,
  headers,
}: TransportRequest): keyof NonNullable<DoctorSetup['answers']> {
  if (method === 'POST') {
    return 'administrator';
  }
  if (url.includes('/infusion/status')) {
    return 'viewpoints';
  }
  return headers['authorization'] === undefined ? 'http' : 'isauth';
}

const hang = <T>(): Promise<T> => new Promise<T>(() => {});

async function simulate<T>(fault: Error | 'hangs' | undefined, result: T): Promise<T> {
  if (fault === 'hangs') {
    return hang();
  }
  if (fault instanceof Error) {
    throw fault;
  }
  return result;
}

/** Starts the doctor in an environment with the given faults, and advances the clock until everything has ended. */
export async function startDiagnosis(setup: DoctorSetup) {
  const clock = new FakeClock();
  const log = new MemoryLog();
  const events: string[] = [];
  const goodResponses = {
    http: json({ isauthenticated: false }, 401),
    isauth: json({ isauthenticated: true }),
    administrator: json([]),
    viewpoints: json({ status: 'ok' }),
  };
  const transport = new MemoryTransport(async (request) => {
    const step = getRequestedStep(request);
    events.push(step);
    const answer = setup.answers?.[step] ?? goodResponses[step];
    if (answer instanceof Error) {
      throw answer;
    }
    return answer === 'hangs' ? hang<MemoryResponse>() : answer;
  });
  const socket: ProbeSocket = {
    address: '10.1.2.3',
    openTunnel: (target, authorization) => {
      events.push(`tunnel ${target} ${authorization ?? ''}`.trim());
      return simulate(setup.tunnel instanceof Error ? setup.tunnel : undefined, {
        status: 200,
        ...(setup.tunnel instanceof Error ? {} : setup.tunnel),
      });
    },
    startTls: (host) => {
      events.push(`handshake ${host}`);
      const goodHandshake = createGoodHandshake(clock.now());
      return setup.handshake instanceof Error || setup.handshake === 'hangs'
        ? simulate(setup.handshake, goodHandshake)
        : simulate(undefined, { ...goodHandshake, ...setup.handshake });
    },
    dispose: () => void events.push('closed'),
  };
  const probes: Probes = {
    lookup: (host) => {
      events.push(`lookup ${host}`);
      return simulate(setup.lookup, ['10.1.2.3']);
    },
    connect: (host, port) => {
      events.push(`connect ${host}:${port}`);
      return simulate(setup.connect, socket);
    },
  };
  const url = setup.url ?? 'https://bi.example.test';
  const connection: Connection =
    setup.kind === 'sandbox'
      ? { kind: 'sandbox', id: 'c', name: 'BI', role: 'development' }
      : { kind: 'remote', id: 'c', name: 'BI', role: setup.role ?? 'development', url };
  const deps: DoctorDeps = {
    probes,
    clock,
    log,
    ensureAddress: setup.locate ?? (async () => url),
    tokens: { get: async () => ('token' in setup ? setup.token : token) },
    locks: { getRefusal: () => setup.refusal },
    getNetworkSettings: () => ({
      proxy: setup.proxy,
      environment: setup.environment ?? {},
      strictSSL: setup.strictSSL ?? true,
    }),
    loadCertificates: setup.certificates ?? (async () => []),
    createTransport: async () => transport,
    getLimits: () => ({ timeoutMs: 5000 }),
  };
  const controller = new AbortController();
  const steps: StepId[] = [];
  const running = diagnoseConnection(deps, connection, {
    signal: controller.signal,
    onStep: (step) => {
      steps.push(step);
      if (step === setup.abortAt) {
        controller.abort(new Error('the user canceled'));
      }
    },
  });
  running.catch(() => undefined);
  for (let turn = 0; turn < 50; turn += 1) {
    await clock.advance(0);
  }
  // Everything that still hangs times out.
  for (let turn = 0; turn < 10; turn += 1) {
    await clock.advance(5000);
  }
  return { running, transport, log, events, steps, clock };
}

/** Returns the report of one step of a diagnosis. */
export function getStep(diagnosis: Diagnosis, step: StepId): StepReport {
  const report = diagnosis.steps.find((each) => each.step === step);
  if (report === undefined) {
    throw new Error(`The diagnosis has no step ${step}`);
  }
  return report;
}

export const createTransportFailure = (kind: TransportFailure['kind']): TransportFailure =>
  new TransportFailure(kind, { mayHaveBeenSent: false });
