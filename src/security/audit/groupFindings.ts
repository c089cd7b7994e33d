import type { DiagnosticSeverity } from '../../sql/language.ts';
import { getSharePartyId, isObject, readArray } from '../readRules.ts';
import type { AuditCode, AuditFinding } from './auditFinding.ts';

/** The findings for the rules of one datamodel or cube set. */
export interface AuditedSubject {
  /** The name of the datamodel or cube set, unique within the instance. */
  readonly key: string;
  readonly rules: readonly unknown[];
  readonly findings: readonly AuditFinding[];
}

/** A place where a cause was found, such as a column, a rule or a viewpoint. */
export interface FindingPlace<Subject extends AuditedSubject = AuditedSubject> {
  readonly subject: Subject;
  /** The name of the place: stable, and unique among those with the same code and subject. */
  readonly name: string;
  readonly finding: AuditFinding;
}

/** Findings with a common cause, such as a misspelled name in several rules. */
export interface FindingCause<Subject extends AuditedSubject = AuditedSubject> {
  readonly key: string;
  readonly code: AuditCode;
  readonly severity: DiagnosticSeverity;
  /** Absent if the cause concerns the whole instance, like a user who no longer exists. */
  readonly subject?: Subject;
  /** The table, column, user or group that the cause is about; empty if it concerns several. */
  readonly topic: readonly string[];
  /** The places of the cause, at least one. */
  readonly places: readonly FindingPlace<Subject>[];
}

/** Maximum number of causes with the same code per subject: one mistake can concern hundreds of names. */
const maxCausesPerCode = 20;

/** The codes of causes that concern the whole instance. */
const instanceCodes: ReadonlySet<AuditCode> = new Set(['party-unknown', 'no-rules', 'cube-set-unconfirmed']);

const severityOrder: readonly DiagnosticSeverity[] = ['error', 'warning', 'information'];

/**
 * Groups findings by cause: findings with the same code, the same topic, and the same datamodel or cube set. Codes that
 * concern the whole instance are grouped across its datamodels and cube sets. If the findings of a code have more than
 * {@link maxCausesPerCode} topics, they are a single cause without a topic. The most severe causes come first, then
 * those with the most places.
 */
export function groupFindings<Subject extends AuditedSubject>(
  subjects: readonly Subject[],
): readonly FindingCause<Subject>[] {
  const places = subjects.flatMap((subject) =>
    subject.findings.map((finding) => ({ subject, finding, name: getPlaceName(finding, subject.rules) })),
  );
  const placesByCode = Map.groupBy(places, ({ subject, finding: { code } }) =>
    JSON.stringify([code, instanceCodes.has(code) ? null : subject.key]),
  );
  return [...placesByCode.values()]
    .flatMap((codePlaces) => {
      const placesByTopic = Map.groupBy(codePlaces, ({ finding }) => JSON.stringify(getTopic(finding)));
      return placesByTopic.size > maxCausesPerCode
        ? createCause(codePlaces, [])
        : [...placesByTopic.values()].flatMap((topicPlaces) => createCause(topicPlaces));
    })
    .sort(
      (a, b) =>
        severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) ||
        b.places.length - a.places.length,
    );
}

function createCause<Subject extends AuditedSubject>(
  places: readonly FindingPlace<Subject>[],
  topic?: readonly string[],
): readonly FindingCause<Subject>[] {
  const [first] = places;
  if (first === undefined) {
    return [];
  }
  const { subject, finding } = first;
  const causeTopic = topic ?? getTopic(finding);
  // Several findings with the same code can concern one rule.
  const placesByName = new Map<string, FindingPlace<Subject>>();
  for (const place of places) {
    const name = JSON.stringify([place.subject.key, place.name]);
    if (!placesByName.has(name)) {
      placesByName.set(name, place);
    }
  }
  const isInstanceWide = instanceCodes.has(finding.code);
  return [
    {
      key: JSON.stringify([finding.code, isInstanceWide ? null : subject.key, ...causeTopic]),
      code: finding.code,
      severity: finding.severity,
      ...(isInstanceWide ? {} : { subject }),
      topic: causeTopic,
      places: [...placesByName.values()],
    },
  ];
}

/** The range of the arguments that are the topic of a finding, for codes whose findings can have a common cause. */
const topicArguments: Readonly<Partial<Record<AuditCode, readonly [start: number, end: number]>>> = {
  'unknown-table': [0, 1],
  'unknown-column': [0, 2],
  'party-unknown': [0, 2],
  'viewpoint-sees-nothing': [1, 2],
};

const getTopic = ({ code, args }: AuditFinding): readonly string[] =>
  args.slice(...(topicArguments[code] ?? [0, 0]));

type GetPlaceName = (column: string, args: readonly string[]) => string;

/** Functions that return the place name of findings with these codes; the place of any other finding is a rule. */
const placeNameGetters: Readonly<Partial<Record<AuditCode, GetPlaceName>>> = {
  'no-rules': () => 'all tables',
  'cube-set-unconfirmed': () => 'all tables',
  'table-unreached': (_column, [table = '']) => table,
  'viewpoint-sees-nothing': (_column, [viewpoint = '', group = '']) => `${viewpoint}: group ${group}`,
  'no-default-rule': (column) => column,
  'several-defaults': (column) => column,
  contradiction: (column, [, , type = '', id = '']) => `${column}: ${type} ${id}`,
  'party-unknown': (column, [type = '', id = '']) => `${column}: ${type} ${id}`,
};

/** Returns the name of a place. Baselines contain it, so it must not depend on the language or the order of rules. */
function getPlaceName({ code, args, index }: AuditFinding, rules: readonly unknown[]): string {
  const rule = index === undefined ? undefined : rules[index];
  const column = isObject(rule) ? `${String(rule['table'])}.${String(rule['column'])}` : '';
  return placeNameGetters[code]?.(column, args) ?? `${column}: ${formatParties(rule)}`;
}

/** The maximum number of parties to list for a rule: it can have thousands. */
const maxListedParties = 3;

function formatParties(rule: unknown): string {
  const shares = readArray(isObject(rule) ? rule['shares'] : []);
  const names = shares
    .slice(0, maxListedParties)
    .map((share) => (isObject(share) ? [String(share['type']), getSharePartyId(share) ?? ''] : ['?']))
    .map((parts) => parts.join(' ').trim());
  return [
    ...names,
    ...(shares.length > maxListedParties ? [`+${shares.length - maxListedParties}`] : []),
  ].join(', ');
}
