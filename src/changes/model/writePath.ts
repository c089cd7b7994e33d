import { type PathDialect, PathSegmentError, formatPath, getPathTemplate } from '../../contract/endpoints.ts';
import type { Write } from './operation.ts';

/**
 * Returns the path of a write, for people and the log. A write of many requests has their common path; a name that fits
 * no path was rejected before anything was sent.
 */
export function getWritePath({ endpoint, params }: Write, dialect: PathDialect = 'plain'): string {
  try {
    return formatPath(endpoint, params, dialect);
  } catch (error) {
    if (error instanceof PathSegmentError) {
      return getPathTemplate(endpoint, dialect);
    }
    throw error;
  }
}
