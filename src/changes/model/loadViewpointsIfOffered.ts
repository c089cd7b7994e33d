import { HttpError } from '../../client/errors.ts';

/**
 * What is read of viewpoints; nothing where the instance has no service for them (before L2023.11, or without the
 * licence: spec, "Versioning"): there no viewpoint uses anything.
 * @throws ApiError for any other failure
 */
export async function loadViewpointsIfOffered<T>(load: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof HttpError && error.isNotFound) {
      return [];
    }
    throw error;
  }
}
