import type { JsonObject } from '../../base/json.ts';
import { defaultViewpointPageSize } from '../../contract/viewpoint.ts';
import { parseWholeNumberParameter } from '../validation.ts';
import {
  createCreatedResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import { joinAsArray, getTextMember, appendMembers } from '../documents.ts';
import { applyViewpointChange, createViewpointDocument } from '../models/viewpointDocument.ts';
import { createValidationProblem, createNotFoundProblem } from '../problem.ts';
import { getTimestamp } from '../editContext.ts';
import type { RouteServices } from '../routeServices.ts';
import {
  type ViewpointPart,
  viewpointParts,
  type ViewpointRow,
  formatViewpoint,
} from '../store/viewpointStore.ts';
import { containsStructure, parseViewpointSearch, type ParsedViewpointSearch } from '../viewpointSearch.ts';

/** The first release with the viewpoint API (rest-api.md, "Versioning"). */
const firstRelease = 'L2023.11';

/**
 * Creates the handlers of viewpoints (rest-api.md, "Viewpoint API"). With a tenant header, only viewpoints of that
 * tenant are found.
 */
export function createViewpointHandlers({ store, clock, ids }: RouteServices): AreaHandlers<'viewpoints'> {
  const { viewpoints } = store;
  const requireViewpoint = (id: string, tenant: string | undefined): JsonObject => {
    const viewpoint = viewpoints.getDocument(id, tenant);
    if (viewpoint === undefined) {
      throw createNotFoundProblem('The viewpoint', id);
    }
    return viewpoint;
  };
  /** Requires that no other viewpoint has the name (rest-api.md, "Viewpoint"). */
  const requireUnusedName = (name: string, id: string | undefined): void => {
    const existingId = viewpoints.findIdByName(name);
    if (existingId !== undefined && existingId !== id) {
      throw createValidationProblem(`name: a viewpoint named "${name}" already exists`);
    }
  };
  /** Returns one page of the matching viewpoints, and the total number of matches. */
  const searchViewpoints = (
    { query, complexProperties }: ParsedViewpointSearch,
    offset: number,
    limit: number,
  ): [ViewpointRow[], number] => {
    if (complexProperties === undefined) {
      return [viewpoints.findPage(query, { offset, limit }), viewpoints.count(query)];
    }
    const rows = viewpoints
      .findPage(query, { offset: 0 })
      .filter(
        ({ visibility, details }) =>
          containsStructure(JSON.parse(visibility), complexProperties.visibility) &&
          containsStructure(JSON.parse(details), complexProperties.details),
      );
    return [rows.slice(offset, offset + limit), rows.length];
  };
  return {
    'viewpoints.status': () => createOkResponse({ status: 'ok', enabled: true, release: firstRelease }),

    /**
     * Returns a page of viewpoints ordered by id, 100 by default, and the total count
     * (rest-api.md, "GET /infusion/viewpoints").
     */
    'viewpoints.list'({ query, tenant }) {
      const offset = parseWholeNumberParameter('offset', query('offset')) ?? 0;
      const limit = parseWholeNumberParameter('limit', query('limit')) ?? defaultViewpointPageSize;
      const parts = parseViewpointParts(query('with'));
      const [rows, total] = searchViewpoints(parseViewpointSearch(query('search'), tenant), offset, limit);
      const list = joinAsArray(rows.map((row) => formatViewpoint(row, parts)));
      return createOkTextResponse(
        appendMembers(`{"total":${total},"offset":${offset},"limit":${limit}}`, { viewpoints: list }),
      );
    },

    'viewpoints.get': ({ params, tenant }) => createOkResponse(requireViewpoint(params.viewpointId, tenant)),

    'viewpoints.create'(call) {
      const context = {
        id: ids.createObjectId(),
        tenant: call.tenant,
        userId: call.caller.userId,
        timestamp: getTimestamp(clock),
      };
      const viewpoint = createViewpointDocument(requireObjectBody(call), context);
      requireUnusedName(getTextMember(viewpoint, 'name'), undefined);
      viewpoints.write(viewpoint);
      return createCreatedResponse(viewpoint);
    },

    'viewpoints.update'(call) {
      const { viewpointId } = call.params;
      const storedViewpoint = requireViewpoint(viewpointId, call.tenant);
      const context = { userId: call.caller.userId, timestamp: getTimestamp(clock) };
      const viewpoint = applyViewpointChange(storedViewpoint, requireObjectBody(call), context);
      requireUnusedName(getTextMember(viewpoint, 'name'), viewpointId);
      viewpoints.write(viewpoint);
      return createOkResponse(viewpoint);
    },

    'viewpoints.delete'({ params: { viewpointId }, tenant }) {
      requireViewpoint(viewpointId, tenant);
      viewpoints.delete(viewpointId);
      return createOkResponse({ id: viewpointId });
    },
  };
}

/**
 * Parses the query parameter `with`: visibility, details, or both separated by a comma (rest-api.md, "GET
 * /infusion/viewpoints").
 * @throws HttpProblem 400 for any other part
 */
function parseViewpointParts(text: string | undefined): readonly ViewpointPart[] {
  const names = (text ?? '')
    .split(',')
    .map((partName) => partName.trim())
    .filter((partName) => partName !== '');
  const unknownName = names.find((partName) => !viewpointParts.some((part) => part === partName));
  if (unknownName !== undefined) {
    throw createValidationProblem(`with: expected visibility, details, or both, received "${unknownName}"`);
  }
  return viewpointParts.filter((part) => names.includes(part));
}
