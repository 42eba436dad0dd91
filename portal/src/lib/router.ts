// Which page is shown: the path below /portal/, and what is asked for after the question mark.
import { useEffect, useState } from "preact/hooks";

export const BASE = "/portal/";

export interface Place { parts: string[]; query: URLSearchParams }

function here(): Place {
  const path = location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : "";
  const parts = path.split("/").filter(Boolean).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { parts, query: new URLSearchParams(location.search) };
}

const listeners = new Set<() => void>();
const tell = () => listeners.forEach((each) => each());
addEventListener("popstate", tell);

export function go(path: string, options: { replace?: boolean } = {}) {
  history[options.replace ? "replaceState" : "pushState"](null, "", BASE + path);
  tell();
  if (!options.replace) scrollTo(0, 0);
}

export function usePlace(): Place {
  const [place, set] = useState(here);
  useEffect(() => {
    const change = () => set(here());
    listeners.add(change);
    return () => void listeners.delete(change);
  }, []);
  return place;
}

// Links inside the portal change the page without loading it anew.
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin || !link.pathname.startsWith(BASE)) return;
  event.preventDefault();
  go(link.pathname.slice(BASE.length) + link.search);
});
