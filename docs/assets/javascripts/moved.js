/* A page that has moved leads on with what stands behind its address. Without scripts the page itself leads on. */

location.replace(new URL(document.currentScript.dataset.to, location.href).href + location.search + location.hash)
