import { newBuildSchema } from '../../contract/build.ts';
import { parseWithSchema, toPlainValue } from '../validation.ts';
import {
  createCreatedResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
} from '../endpointCall.ts';
import type { SandboxBuildTask } from '../builds/buildTask.ts';
import { requireDatamodel } from '../models/schemaEdits.ts';
import { createValidationProblem, createNotFoundProblem } from '../problem.ts';
import type { RouteServices } from '../routeServices.ts';

/** Creates the handlers of build tasks (rest-api.md, "Build API"). */
export function createBuildHandlers(services: RouteServices): AreaHandlers<'builds'> {
  const { builds, profile, store, clock } = services;
  const { toJson, rejectTooEarlyRead, getCancelResponse } = profile.builds;
  const requireTask = (oid: string): SandboxBuildTask => {
    const task = builds.get(oid);
    if (task === undefined) {
      throw createNotFoundProblem('The build task', oid);
    }
    return task;
  };
  return {
    /** Lists tasks, filtered by the query parameters `datamodelId` and `status` (platform-facts.md, 1.2). */
    'builds.list': ({ query }) =>
      createOkResponse(
        builds.list({ datamodelId: query('datamodelId'), status: query('status') }).map(toJson),
      ),

    /** Creates and queues a task; errors of the build itself are reported by the task (rest-api.md, "Errors" 3). */
    'builds.start'(call) {
      const { datamodelId, buildType, schemaOrigin, rowLimit } = parseWithSchema(
        newBuildSchema,
        toPlainValue(requireObjectBody(call)),
      );
      const { title, type } = requireDatamodel(services, datamodelId);
      if ((buildType === 'publish') !== (type === 'live')) {
        throw createValidationProblem(
          `buildType: ${buildType} isn't supported for datamodels of type ${type}`,
        );
      }
      const task = builds.start({
        datamodelId,
        datamodelTitle: title,
        datamodelType: type,
        schemaLastUpdate: store.datamodels.getLastUpdated(datamodelId) ?? null,
        buildType,
        schemaOrigin: schemaOrigin ?? 'latest',
        // 0 and null mean no limit (platform-facts.md, 1.2).
        rowLimit: rowLimit || undefined,
      });
      return createCreatedResponse(toJson(task));
    },

    'builds.get'({ params }) {
      const task = requireTask(params.buildId);
      task.readCount += 1;
      rejectTooEarlyRead(task, clock.now());
      return createOkResponse(toJson(task));
    },

    async 'builds.cancel'({ params }) {
      const task = requireTask(params.buildId);
      const previousStatus = task.status;
      await builds.cancel(task);
      return getCancelResponse(task, previousStatus);
    },

    /** Cancels the tasks of the datamodel in the query parameter `datamodelId` (platform-facts.md, 1.2). */
    async 'builds.cancelAll'({ query }) {
      const datamodelId = query('datamodelId') ?? '';
      if (datamodelId === '') {
        throw createValidationProblem('datamodelId: required in the query string');
      }
      requireDatamodel(services, datamodelId);
      return createOkResponse((await builds.cancelAll(datamodelId)).map(toJson));
    },
  };
}
