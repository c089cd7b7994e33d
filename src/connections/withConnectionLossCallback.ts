import { type Transport, TransportFailure } from '../client/transport.ts';

/** Sends requests with another transport and calls `onLost` when the server refuses connections. */
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
