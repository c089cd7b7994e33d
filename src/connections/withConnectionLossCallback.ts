import { type Transport, TransportFailure } from '../client/transport.ts';

/** Wraps a transport so that `onLost` is called when the server refuses a connection. */
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
