import { type Transport, TransportFailure } from '../client/transport.ts';

/** Carries requests by another transport and tells when nobody listens any more where they go. */
export function withConnectionLossCallback(transport: Transport, onLost: () => void): Transport {
  return {
    async send(request) {
      try {
        return await transport.send(request);
      } catch (error) {
        if (error instanceof TransportFailure && error.kind === 'refused') {
          onLost();
        }
        throw error;
      }
    },
    dispose: () => transport.dispose(),
  };
}
