import type { StartBuildRequest } from '../builds/build.ts';
import { type Datamodel, getDatamodelType } from '../contract/datamodel.ts';
import { type BuildType, buildTypes, type SchemaOrigin, schemaOrigins } from '../contract/terms.ts';
import type { Arguments } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';

/** The options of `build`, checked as far as that is possible without the datamodel. */
export interface BuildOptions {
  readonly buildType: BuildType | undefined;
  readonly schemaOrigin: SchemaOrigin | undefined;
  readonly rowLimit: number | undefined;
  /** The maximum wait for the end of the build, in milliseconds; no limit if absent. */
  readonly timeoutMs: number | undefined;
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** @throws CommandRefusedError for an invalid number or duration */
export function readBuildOptions(args: Arguments): BuildOptions {
  if (args.has('no-wait') && args.has('timeout')) {
    throw new CommandRefusedError('Use only one of --no-wait and --timeout.');
  }
  return {
    buildType: buildTypes.find((type) => type === args.getValue('type')),
    schemaOrigin: schemaOrigins.find((origin) => origin === args.getValue('schema-origin')),
    rowLimit: readRowLimit(args.getValue('row-limit')),
    timeoutMs: readDuration(args.getValue('timeout')),
  };
}

function readRowLimit(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const rowLimit = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(rowLimit)) {
    throw new CommandRefusedError('Invalid --row-limit. Expected: a whole number, 1 or more.');
  }
  return rowLimit;
}

function readDuration(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [, count = '', unit = ''] = /^([1-9]\d{0,6})([smh])$/.exec(text) ?? [];
  const factor = unitMs[unit];
  if (factor === undefined) {
    throw new CommandRefusedError(
      'Invalid --timeout. Expected: a number with a unit, such as 90s, 30m, or 2h.',
    );
  }
  return Number(count) * factor;
}

/**
 * Creates the request to build a datamodel: by default, an extract datamodel is built in full, and a live one is
 * published.
 * @throws CommandRefusedError if the platform doesn't allow the options for the type of the datamodel (rest-api.md,
 * "POST /builds body")
 */
export function createBuildRequest(
  datamodel: Pick<Datamodel, 'oid' | 'title' | 'type'>,
  { buildType: chosenType, schemaOrigin, rowLimit }: BuildOptions,
  connectionId: string,
): StartBuildRequest {
  const isLive = getDatamodelType(datamodel) === 'live';
  const buildType = chosenType ?? (isLive ? 'publish' : 'full');
  if (isLive !== (buildType === 'publish')) {
    throw new CommandRefusedError(
      isLive
        ? 'A live datamodel has no data to build. Use --type publish, or omit --type.'
        : "An extract datamodel can't be published. Use --type full, by_table, or schema_changes.",
    );
  }
  if (isLive && (schemaOrigin !== undefined || rowLimit !== undefined)) {
    throw new CommandRefusedError('--schema-origin and --row-limit apply to extract datamodels only.');
  }
  return {
    connectionId,
    datamodelId: datamodel.oid,
    datamodelTitle: datamodel.title,
    buildType,
    ...(schemaOrigin === undefined ? {} : { schemaOrigin }),
    ...(rowLimit === undefined ? {} : { rowLimit }),
  };
}

/** Describes a request, such as `full build, schema running, at most 100 rows from each source`. */
export function formatBuildRequest({ buildType, schemaOrigin, rowLimit }: StartBuildRequest): string {
  const parts = [
    buildType === 'publish' ? 'publish' : `${buildType} build`,
    ...(schemaOrigin === undefined ? [] : [`schema ${schemaOrigin}`]),
    ...(rowLimit === undefined
      ? []
      : [`at most ${rowLimit} ${rowLimit === 1 ? 'row' : 'rows'} from each source`]),
  ];
  return parts.join(', ');
}
