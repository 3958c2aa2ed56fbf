// Tells the server the browser's time zone, which it uses for players who did not choose one.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").includes(`timezone=${zone}`)) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `timezone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
}
