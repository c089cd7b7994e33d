import { newBuildSchema } from '../../contract/build.ts';
import { checked, plain } from '../check.ts';
import { created, type HandlersOf, objectBody, ok } from '../call.ts';
import type { BuildTask } from '../builds/buildTask.ts';
import { requireDatamodel } from '../models/schemaEdits.ts';
import { invalid, notFound } from '../problem.ts';
import type { Services } from '../services.ts';

/** Build tasks (spec, "Build API"). */
export function buildRoutes(services: Services): HandlersOf<'builds'> {
  const { builds } = services;
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
      ok(
        builds
          .list({ datamodelId: query('datamodelId'), status: query('status') })
          .map((task) => task.toJson()),
      ),

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
        buildType,
        schemaOrigin: schemaOrigin ?? 'latest',
        // 0 and null mean no limit (platform-facts 1.2).
        rowLimit: rowLimit || undefined,
      });
      return created(task.toJson());
    },

    'builds.get': ({ params }) => ok(requireTask(params.buildId).toJson()),

    async 'builds.cancel'({ params }) {
      const task = requireTask(params.buildId);
      await builds.cancel(task);
      return ok(task.toJson());
    },

    /** The datamodel is named in the query (platform-facts 1.2). */
    async 'builds.cancelAll'({ query }) {
      const datamodelId = query('datamodelId') ?? '';
      if (datamodelId === '') {
        throw invalid('datamodelId: required in the query');
      }
      requireDatamodel(services, datamodelId);
      const cancelled = await builds.cancelAll(datamodelId);
      return ok(cancelled.map((task) => task.toJson()));
    },
  };
}
