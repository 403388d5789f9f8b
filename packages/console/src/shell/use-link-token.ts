import { useEffect, useState } from 'react';

const read = () => location.hash.slice(1);

/**
 * The token of a mailed link: the fragment of the address, also when another link is opened in the same tab. Empty: none. It stays when a
 * page takes the token that is used up out of the address.
 */
export function useLinkToken(): string {
  const [token, setToken] = useState(read);
  useEffect(() => {
    const follow = () => setToken((before) => read() || before);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return token;
}
