// Frames between this phone and the table, sealed by TweetNaCl, as a page without HTTPS has no crypto.subtle
// (companion/system/sealing.py is the other end).

/** Frames are a multiple of so many bytes, before they are sealed: the length would tell a choice. */
const BLOCK = 256;
const [TO_PAGE, FROM_PAGE] = [0, 1];

/** Returns the seal of one connection, for the table's key and the salt that it has drawn. */
export function sealed(key, salt) {
  const own = nacl.box.keyPair();
  const shared = nacl.box.before(bytes(key), own.secretKey);
  const counts = [0, 0];

  /** Returns the next nonce of a direction: each opens one frame, in its turn. */
  function next(way) {
    const nonce = new Uint8Array(nacl.box.nonceLength);
    nonce.set(bytes(salt));
    const numbers = new DataView(nonce.buffer, 16);
    numbers.setUint32(0, way);
    numbers.setUint32(4, counts[way]);
    counts[way] += 1;
    return nonce;
  }

  return {
    /** Returns the frame of a message; the first one begins with this phone's key. */
    seal(message) {
      const text = new TextEncoder().encode(JSON.stringify(message));
      const padded = new Uint8Array(Math.ceil(text.length / BLOCK) * BLOCK).fill(32);
      padded.set(text);
      const begins = counts[FROM_PAGE] ? [] : own.publicKey;
      return Uint8Array.from([...begins, ...nacl.box.after(padded, next(FROM_PAGE), shared)]);
    },
    /** Returns the message in a frame; null where it was not sealed for this connection and this turn. */
    open(data) {
      const text = nacl.box.open.after(new Uint8Array(data), next(TO_PAGE), shared);
      return text && JSON.parse(new TextDecoder().decode(text));
    },
  };
}

/** Returns what base64 of the kind for addresses stands for. */
function bytes(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
}
