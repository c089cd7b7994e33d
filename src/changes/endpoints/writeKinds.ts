import type { Write, WriteEndpointId } from '../model/operation.ts';
import type { WriteKind } from '../model/writeKind.ts';
import { customDataKinds } from './customData.ts';
import { datamodelKinds } from './datamodels.ts';
import { datasetKinds } from './datasets.ts';
import { extractRuleKinds } from './extractRules.ts';
import { liveRuleKinds } from './liveRules.ts';
import { relationKinds } from './relations.ts';
import { tableKinds } from './tables.ts';
import { viewpointKinds } from './viewpoints.ts';

/** What there is to know of every endpoint that changes a document: one that is missing here does not compile. */
const writeKinds: Readonly<Record<WriteEndpointId, WriteKind>> = {
  ...datamodelKinds,
  ...datasetKinds,
  ...tableKinds,
  ...relationKinds,
  ...extractRuleKinds,
  ...liveRuleKinds,
  ...viewpointKinds,
  ...customDataKinds,
};

/** What there is to know of the endpoint of a write. */
export const kindOf = ({ endpoint }: Pick<Write, 'endpoint'>): WriteKind => writeKinds[endpoint];
