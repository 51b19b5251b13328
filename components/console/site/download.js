// Files for the person's disk, made of what the server answers.

/** Lets the browser keep a response as a file of this name. */
export async function saved(response, name) {
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  // The browser has read it by the time that the next task begins, but not before.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
