import type { JsonObject } from '../../base/json.ts';
import type { BuildStatus, SandboxBuildTask } from '../builds/buildTask.ts';
import { type EndpointResponse, noContentResponse, createOkResponse } from '../endpointCall.ts';
import { HttpProblem } from '../problem.ts';

/** The first read of a task fails within this time after its creation, in milliseconds. */
const unreadableMs = 1000;

/**
 * Returns a task with the fields of the vendor's contract (platform-facts.md, "BuildOutput"), which include no error
 * message.
 */
export function toContractTask(task: SandboxBuildTask): JsonObject {
  const { request, oid, status } = task;
  const { created, started, completed } = task.toJson();
  return {
    oid,
    datamodelId: request.datamodelId,
    buildType: request.buildType.replaceAll('_', '-'),
    // The vendor's contract has no status for a task that has just been posted.
    status: status ?? 'pending',
    datamodelTitle: request.datamodelTitle,
    datamodelType: request.datamodelType,
    indexSize: 'short',
    instanceId: `${request.datamodelId}-${oid.slice(0, 8)}`,
    schemaLastUpdate: request.schemaLastUpdate,
    created: created ?? null,
    started: started ?? null,
    completed: completed ?? null,
    rowLimit: request.rowLimit ?? 0,
    source: 'rest',
  };
}

/**
 * Rejects the first read of a task that was just created, as observed on a real platform.
 * @throws HttpProblem 400
 */
export function checkBuildRead(task: SandboxBuildTask, now: number): void {
  if (task.readCount === 1 && now - task.createdAt < unreadableMs) {
    throw new HttpProblem(
      400,
      'Failed to get build process <>',
      1002,
      `BE#983754 Data source not found for build id: ${task.oid}`,
    );
  }
}

/**
 * Creates the response to a cancellation: 204 for a task that had not begun, otherwise 200 with the result
 * (platform-facts.md, "BuildServiceResponseVoid").
 */
export function createCancelResponse(task: SandboxBuildTask, previousStatus: BuildStatus): EndpointResponse {
  if (previousStatus === null || previousStatus === 'pending') {
    return noContentResponse;
  }
  if (previousStatus !== 'building') {
    return createOkResponse({
      status: 'FAILED_TO_GET_BUILD_PROCESS',
      statusCode: 404,
      error: 'The build has ended',
    });
  }
  return task.status === 'cancelled'
    ? createOkResponse({ status: 'OK', statusCode: 200, error: null })
    : createOkResponse({
        status: 'FAILED_TO_CANCEL_WHILE_FINALIZING',
        statusCode: 409,
        error: 'The build is about to end',
      });
}
