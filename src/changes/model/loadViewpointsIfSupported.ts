import { HttpError } from '../../client/errors.ts';

/**
 * Loads data of viewpoints; empty if the instance doesn't offer viewpoints (before L2023.11, or without the license:
 * rest-api.md, "Versioning").
 * @throws ApiError for any other failure
 */
export async function loadViewpointsIfSupported<T>(load: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof HttpError && error.isNotFound) {
      return [];
    }
    throw error;
  }
}
