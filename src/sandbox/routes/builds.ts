import { newBuildSchema } from '../../contract/build.ts';
import { checked, plain } from '../check.ts';
import { created, type HandlersOf, objectBody, ok } from '../call.ts';
import type { BuildTask } from '../builds/buildTask.ts';
import { requireDatamodel } from '../models/schemaEdits.ts';
import { invalid, notFound } from '../problem.ts';
import type { Services } from '../services.ts';

/** Build tasks (spec, "Build API"). */
export function buildRoutes(services: Services): HandlersOf<'builds'> {
  const { builds, profile, store, clock } = services;
  const { toJson, checkRead, cancelled } = profile.builds;
  const requireTask = (oid: string): BuildTask => {
    const task = builds.get(oid);
    if (task === undefined) {
      throw notFound('The build task', oid);
    }
    return task;
  };
  return {
    /** The query parameters `datamodelId` and `status` narrow the list (platform-facts 1.2). */
    'builds.list': ({ query }) =>
      ok(builds.list({ datamodelId: query('datamodelId'), status: query('status') }).map(toJson)),

    /** Accepts and queues only: what goes wrong later shows in the task (spec, "Errors" 3). */
    'builds.start'(call) {
      const { datamodelId, buildType, schemaOrigin, rowLimit } = checked(
        newBuildSchema,
        plain(objectBody(call)),
      );
      const { title, type } = requireDatamodel(services, datamodelId);
      if ((buildType === 'publish') !== (type === 'live')) {
        throw invalid(`buildType: ${buildType} is not for datamodels of type ${type}`);
      }
      const task = builds.start({
        datamodelId,
        datamodelTitle: title,
        datamodelType: type,
        schemaLastUpdate: store.datamodels.lastUpdated(datamodelId) ?? null,
        buildType,
        schemaOrigin: schemaOrigin ?? 'latest',
        // 0 and null mean no limit (platform-facts 1.2).
        rowLimit: rowLimit || undefined,
      });
      return created(toJson(task));
    },

    'builds.get'({ params }) {
      const task = requireTask(params.buildId);
      task.reads += 1;
      checkRead(task, clock.now());
      return ok(toJson(task));
    },

    async 'builds.cancel'({ params }) {
      const task = requireTask(params.buildId);
      const before = task.status;
      await builds.cancel(task);
      return cancelled(task, before);
    },

    /** The datamodel is named in the query (platform-facts 1.2). */
    async 'builds.cancelAll'({ query }) {
      const datamodelId = query('datamodelId') ?? '';
      if (datamodelId === '') {
        throw invalid('datamodelId: required in the query');
      }
      requireDatamodel(services, datamodelId);
      return ok((await builds.cancelAll(datamodelId)).map(toJson));
    },
  };
}
