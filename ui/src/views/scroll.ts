// Where the reader is. The view follows the end only while the reader is there; any way upward lets go at once, and
// nothing but the reader's own doing takes hold again.

/** Pixels from the end within which the reader is at the end. */
export const NEAR = 8;

const UP: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home"]);

/** Watches a scrolled element and keeps it at its end while it is followed. */
export function follow(place: HTMLElement, content: HTMLElement, changed: (isFollowing: boolean) => void): { toEnd: () => void; end: () => void } {
  let isFollowing = true;
  let touchY = 0;
  const set = (to: boolean): void => {
    if (to === isFollowing) return;
    isFollowing = to;
    changed(to);
  };
  const isAtEnd = (): boolean => place.scrollHeight - place.scrollTop - place.clientHeight <= NEAR;
  const toEnd = (): void => {
    set(true);
    place.scrollTop = place.scrollHeight;
  };
  const release = (): void => {
    if (place.scrollHeight > place.clientHeight + NEAR) set(false);
  };
  const stay = (): void => {
    if (isFollowing) place.scrollTop = place.scrollHeight;
  };
  const heard = {
    wheel: (event: WheelEvent) => event.deltaY < 0 && release(),
    keydown: (event: KeyboardEvent) => UP.has(event.key) && release(),
    touchstart: (event: TouchEvent) => (touchY = event.touches[0]?.clientY ?? 0),
    touchmove: (event: TouchEvent) => (event.touches[0]?.clientY ?? 0) > touchY && release(),
    scroll: () => isAtEnd() && set(true),
  };
  const stop = new AbortController();
  const options = { passive: true, signal: stop.signal };
  place.addEventListener("wheel", heard.wheel, options);
  place.addEventListener("keydown", heard.keydown, options);
  place.addEventListener("touchstart", heard.touchstart, options);
  place.addEventListener("touchmove", heard.touchmove, options);
  place.addEventListener("scroll", heard.scroll, options);
  const observer = new ResizeObserver(stay);
  observer.observe(content);
  observer.observe(place);
  stay();
  return {
    toEnd,
    end: () => {
      stop.abort();
      observer.disconnect();
    },
  };
}
