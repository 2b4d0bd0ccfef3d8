(function () {
  var slides = document.querySelectorAll("section.slide");
  var at = 0;
  function go(n) {
    at = Math.max(0, Math.min(slides.length - 1, n));
    slides[at].scrollIntoView();
  }
  document.addEventListener("keydown", function (e) {
    if (e.key === "ArrowRight") go(at + 1);
    else if (e.key === "ArrowLeft") go(at - 1);
    else if (e.key === "Home") go(0);
    else if (e.key === "End") go(slides.length - 1);
    else return;
    e.preventDefault();
  });
})();
